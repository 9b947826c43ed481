// What is SJSON and what is not, case by case: JSON's valid cases and our liberties with what they
// mean (written as JSON on one line), and what is refused with the place and the message. Both
// readers, the tape and the lossless document, are held to every case.
#include "support/test_support.h"

#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_random_edits.h"

#include <string.h>

typedef struct accepted_case {
    const char *text, *json;
} accepted_case;

typedef struct refused_case {
    const char *text;
    uint32_t line, column;
    const char *message; // a part of it
} refused_case;

// JSON, as RFC 8259 has it.
static const accepted_case json_cases[] = {
    {"{}", "{}"},
    {" \t\r\n{ } \n", "{}"},
    {"{\"a\":1}", "{\"a\":1}"},
    {"{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2}"},
    {"{\"a\" : [ ] }", "{\"a\":[]}"},
    {"{\"a\":[1,2,3]}", "{\"a\":[1,2,3]}"},
    {"{\"a\":[[],[[]],{}]}", "{\"a\":[[],[[]],{}]}"},
    {"{\"a\":{\"a\":{\"a\":{}}}}", "{\"a\":{\"a\":{\"a\":{}}}}"},
    {"{\"a\":true,\"b\":false,\"c\":null}", "{\"a\":true,\"b\":false,\"c\":null}"},
    {"{\"\":0}", "{\"\":0}"},
    {"{\"a b\":0}", "{\"a b\":0}"},
    {"{\"a\":\"\"}", "{\"a\":\"\"}"},
    {"{\"a\":\" \"}", "{\"a\":\" \"}"},
    {"{\"a\":\"// no /* comment */\"}", "{\"a\":\"// no /* comment */\"}"},
    {"{\"a\":\"{}[]=:,\"}", "{\"a\":\"{}[]=:,\"}"},
    {"{\"a\":\"\\\"\"}", "{\"a\":\"\\\"\"}"},
    {"{\"a\":\"\\\\\"}", "{\"a\":\"\\\\\"}"},
    {"{\"a\":\"\\\\\\\"\"}", "{\"a\":\"\\\\\\\"\"}"},
    {"{\"a\":\"\\/\"}", "{\"a\":\"/\"}"},
    {"{\"a\":\"\\b\\f\\n\\r\\t\"}", "{\"a\":\"\\b\\f\\n\\r\\t\"}"},
    {"{\"a\":\"\\u0022\"}", "{\"a\":\"\\\"\"}"},
    {"{\"a\":\"\\u00e4\\u00E4\"}", "{\"a\":\"\xc3\xa4\xc3\xa4\"}"},
    {"{\"a\":\"\\u0000\"}", "{\"a\":\"\\u0000\"}"},
    {"{\"a\":\"\\u001f\"}", "{\"a\":\"\\u001f\"}"},
    {"{\"a\":\"\\u007f\x7f\"}", "{\"a\":\"\x7f\x7f\"}"},
    {"{\"a\":\"\\uffff\"}", "{\"a\":\"\xef\xbf\xbf\"}"},
    {"{\"a\":\"\\ud800\\udc00\"}", "{\"a\":\"\xf0\x90\x80\x80\"}"},
    {"{\"a\":\"\\uDBFF\\uDFFF\"}", "{\"a\":\"\xf4\x8f\xbf\xbf\"}"},
    {"{\"a\":\"\xe2\x82\xac\xf0\x9f\x98\x80\"}", "{\"a\":\"\xe2\x82\xac\xf0\x9f\x98\x80\"}"},
    {"{\"\xe2\x82\xac\":0}", "{\"\xe2\x82\xac\":0}"},
    {"{\"a\":0}", "{\"a\":0}"},
    {"{\"a\":-0}", "{\"a\":-0}"},
    {"{\"a\":0.0}", "{\"a\":0}"},
    {"{\"a\":-1}", "{\"a\":-1}"},
    {"{\"a\":10}", "{\"a\":10}"},
    {"{\"a\":0.5}", "{\"a\":0.5}"},
    {"{\"a\":1e2}", "{\"a\":100}"},
    {"{\"a\":1E2}", "{\"a\":100}"},
    {"{\"a\":1e+2}", "{\"a\":100}"},
    {"{\"a\":1e-2}", "{\"a\":0.01}"},
    {"{\"a\":1.5e01}", "{\"a\":15}"},
    {"{\"a\":0e0}", "{\"a\":0}"},
    {"{\"a\":1e-999}", "{\"a\":0}"},
    {"{\"a\":123456789012345678901}", "{\"a\":1.2345678901234568e20}"},
    {"{\"a\":0.00000000000000000000000001}", "{\"a\":1e-26}"},
    {"{\"a\":-0.0}", "{\"a\":-0}"},
    {"{\"a\":-0e-1}", "{\"a\":-0}"},
    {"{\"a\":1.0000000000000002}", "{\"a\":1.0000000000000002}"},
    {"{\"a\":123456789012345}", "{\"a\":123456789012345}"},
    {"{\"a\":12345678901234.5}", "{\"a\":12345678901234.5}"},
    {"{\"a\":-12345678901234.5}", "{\"a\":-12345678901234.5}"},
    {"{\"a\":0.1234567890123}", "{\"a\":0.1234567890123}"},
    {"{\"a\":1.7976931348623157e+308}", "{\"a\":1.7976931348623157e308}"},
    {"{\"a\":5e-324}", "{\"a\":5e-324}"},
    {"{\"a\":0.1,\"b\":[0.2,-0.3]}", "{\"a\":0.1,\"b\":[0.2,-0.3]}"},
    {"{\"a\":\"exactly sixteen b\"}", "{\"a\":\"exactly sixteen b\"}"},
    {"{\"a\":\"a long string past one vector, with \\\"quotes\\\" in it\"}",
     "{\"a\":\"a long string past one vector, with \\\"quotes\\\" in it\"}"},
    {"{\"a key that is longer than sixteen bytes\":0}",
     "{\"a key that is longer than sixteen bytes\":0}"},
    {"{\n                                        \"a\":0\n}", "{\"a\":0}"},
    {"{\"a\":[\n]\n,\"b\":{\t}}", "{\"a\":[],\"b\":{}}"},
    {"{\"a\":\"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"}",
     "{\"a\":\"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"}"},
};

// What SJSON adds.
static const accepted_case liberties[] = {
    {"", "{}"},
    {" \n\t\r\n ", "{}"},
    {"// only a comment", "{}"},
    {"/**/", "{}"},
    {"a=1", "{\"a\":1}"},
    {"a:1", "{\"a\":1}"},
    {"a = 1", "{\"a\":1}"},
    {"a\n=\n1", "{\"a\":1}"},
    {"a = 1 b = 2", "{\"a\":1,\"b\":2}"},
    {"a = 1, b = 2", "{\"a\":1,\"b\":2}"},
    {"a = 1 , b = 2 ,", "{\"a\":1,\"b\":2}"},
    {"a = 1\r\nb = 2\r\n", "{\"a\":1,\"b\":2}"},
    {"{a=1}", "{\"a\":1}"},
    {"{a=1,}", "{\"a\":1}"},
    {"\"a\"=1 \"b c\":2", "{\"a\":1,\"b c\":2}"},
    {"a=[1 2 3]", "{\"a\":[1,2,3]}"},
    {"a=[1,2 3,]", "{\"a\":[1,2,3]}"},
    {"a=[\"x\"\"y\"[]{}true]", "{\"a\":[\"x\",\"y\",[],{},true]}"},
    {"a=[1\n2]", "{\"a\":[1,2]}"},
    {"a={b=1 c={d=2}}", "{\"a\":{\"b\":1,\"c\":{\"d\":2}}}"},
    {"a={}b={}", "{\"a\":{},\"b\":{}}"},
    {"a=\"x\"b=1", "{\"a\":\"x\",\"b\":1}"},
    {"buttons.fr = 1", "{\"buttons.fr\":1}"},
    {"a/b\\c = 1", "{\"a/b\\\\c\":1}"},
    {"-a+b*(c)!?;#@$%^&|~`<> = 1", "{\"-a+b*(c)!?;#@$%^&|~`<>\":1}"},
    {"1 = 2", "{\"1\":2}"},
    {"true = false", "{\"true\":false}"},
    {"null = null", "{\"null\":null}"},
    {"\xc3\xa4\xf0\x9f\x98\x80 = 1", "{\"\xc3\xa4\xf0\x9f\x98\x80\":1}"},
    {"\xef\xbb\xbf", "{}"},
    {"\xef\xbb\xbf{a=1}", "{\"a\":1}"},
    {"a = 1 // one\nb = 2", "{\"a\":1,\"b\":2}"},
    {"a = 1//", "{\"a\":1}"},
    {"a//c\n=//c\n1", "{\"a\":1}"},
    {"a/*c*/=/*c*/1/*c*/b=2", "{\"a\":1,\"b\":2}"},
    {"/* a\n * b */a=1", "{\"a\":1}"},
    {"/***/a=1/* // */", "{\"a\":1}"},
    {"// /* \na=1", "{\"a\":1}"},
    {"a=[1/*x*/2//y\n3]", "{\"a\":[1,2,3]}"},
    {"{a=1} // end", "{\"a\":1}"},
    {"// \x01\na=1", "{\"a\":1}"},
    {"a=\"\"\"x\"\"\"", "{\"a\":\"x\"}"},
    {"a=\"\"\"\"\"\"", "{\"a\":\"\"}"},
    {"a=\"\"\"\nx\n\"\"\"", "{\"a\":\"x\\n\"}"},
    {"a=\"\"\"\r\nx\r\n\"\"\"", "{\"a\":\"x\\r\\n\"}"},
    {"a=\"\"\"\n\nx\"\"\"", "{\"a\":\"\\nx\"}"},
    {"a=\"\"\" \nx\"\"\"", "{\"a\":\" \\nx\"}"},
    {"a=\"\"\"\\n \"q\" \"\"q\t\"\"\"", "{\"a\":\"\\\\n \\\"q\\\" \\\"\\\"q\\t\"}"},
    {"a=\"\"\"// x\"\"\"b=2", "{\"a\":\"// x\",\"b\":2}"},
    {"a=[\"\"\"x\"\"\"\"\"\"y\"\"\"]", "{\"a\":[\"x\",\"y\"]}"},
    {"a=\"\" b=1", "{\"a\":\"\",\"b\":1}"},
    {"a=\"\"b=1", "{\"a\":\"\",\"b\":1}"},
    {"a=1,b=2", "{\"a\":1,\"b\":2}"},
    {"a=1\n,b=2\n,", "{\"a\":1,\"b\":2}"},
    {"a=[1/**/,/**/2]", "{\"a\":[1,2]}"},
    {"a={/**/}b=[//\n]", "{\"a\":{},\"b\":[]}"},
    {"a=1 // no line end after it", "{\"a\":1}"},
    {"a=true//x\nb=null/**/c=false", "{\"a\":true,\"b\":null,\"c\":false}"},
    {"a/b=1 /c=2 d/=3", "{\"a/b\":1,\"/c\":2,\"d/\":3}"},
    {"a_key_without_quotes_past_one_vector=1", "{\"a_key_without_quotes_past_one_vector\":1}"},
    {"a=1.5//x", "{\"a\":1.5}"},
    {"a=\"\"\"\"x\"\" y\"\"\"", "{\"a\":\"\\\"x\\\"\\\" y\"}"},
    {"\r\ra=1\r", "{\"a\":1}"},
    {"a=1 // x\rb=2\nc=3", "{\"a\":1,\"c\":3}"},
};

static const refused_case refused[] = {
    // The root.
    {"[]", 1, 1, "expected an object or a key, found \"[\""},
    {"5", 1, 2, "expected \"=\" or \":\" after the key \"5\", found the end of the file"},
    {"\"x\"", 1, 4, "expected \"=\" or \":\" after the key \"x\", found the end of the file"},
    {"true", 1, 5, "after the key \"true\""},
    {"}", 1, 1, "expected a key or the end of the file, found \"}\""},
    {"]", 1, 1, "expected a key or the end of the file, found \"]\""},
    {"{}{}", 1, 3, "expected the end of the file, found \"{\""},
    {"{} a=1", 1, 4, "expected the end of the file, found \"a\""},
    {"{},", 1, 3, "expected the end of the file, found \",\""},
    {"a=1}", 1, 4, "expected a key or the end of the file, found \"}\""},
    {"= 1", 1, 1, "expected a key or the end of the file, found \"=\""},
    // Keys and what stands after them.
    {"a", 1, 2, "expected \"=\" or \":\" after the key \"a\", found the end of the file"},
    {"foo }", 1, 5, "expected \"=\" or \":\" after the key \"foo\", found \"}\""},
    {"a 1", 1, 3, "expected \"=\" or \":\" after the key \"a\", found \"1\""},
    {"a, b = 1", 1, 2, "after the key \"a\", found \",\""},
    {"a \"x\"", 1, 3, "after the key \"a\", found the string \"x\""},
    {"a {}", 1, 3, "after the key \"a\", found \"{\""},
    {"a [1] = 2", 1, 3, "after the key \"a\", found \"[\""},
    {"two words = 1", 1, 5, "after the key \"two\", found \"words\""},
    {"a = ", 1, 5, "expected a value for the key \"a\", found the end of the file"},
    {"a = = 1", 1, 5, "expected a value for the key \"a\", found \"=\""},
    {"a : = 1", 1, 5, "expected a value for the key \"a\", found \"=\""},
    {"a =, b = 1", 1, 4, "expected a value for the key \"a\", found \",\""},
    {"{a=}", 1, 4, "expected a value for the key \"a\", found \"}\""},
    {"{a=]", 1, 4, "expected a value for the key \"a\", found \"]\""},
    {"{[1]=2}", 1, 2, "expected a key or \"}\", found \"[\""},
    {"{{}}", 1, 2, "expected a key or \"}\", found \"{\""},
    {"\"\"\"a\"\"\" = 1", 1, 1, "expected a key or the end of the file, found the string \"a\""},
    {"'a' = 1", 1, 1, "found \"'\"; strings and keys take double quotes"},
    {"don't = 1", 1, 4, "found \"'\""},
    {"\"a\\u0000\" = 1", 1, 1, "a key must not hold \\u0000"},
    {"\"\\x\" = 1", 1, 2, "unknown escape \"\\x\""},
    {"a=1 a=2", 1, 5, "the key \"a\" appears twice in one object (first in line 1, column 1)"},
    {"a=1\nb={\n\"\\u0061\"=1\n a=2}", 4, 2, "\"a\" appears twice in one object (first in line 3"},
    {"{\"\":1,\"\":2}", 1, 7, "the key \"\" appears twice"},
    {"a={b={c=1 d=2 c=3}}", 1, 15,
     "the key \"c\" appears twice in one object (first in line 1, col"},
    {"a=1 \"a\"=2", 1, 5, "the key \"a\" appears twice"},
    {"ab=1 ba=2 ab=3", 1, 11, "the key \"ab\" appears twice"},
    {"a=\"\"\"\"b=1", 1, 3, "the \"\"\" string that starts here has no closing"},
    // Commas.
    {",", 1, 1, "expected a key, found \",\""},
    {"{,}", 1, 2, "expected a key, found \",\""},
    {"{a=1,,b=2}", 1, 6, "expected a key, found \",\""},
    {"a=1,,", 1, 5, "expected a key, found \",\""},
    {"a=[,]", 1, 4, "expected a value, found \",\""},
    {"a=[,1]", 1, 4, "expected a value, found \",\""},
    {"a=[1,,2]", 1, 6, "expected a value, found \",\""},
    {"a=[1,2,,]", 1, 8, "expected a value, found \",\""},
    // Brackets.
    {"{", 1, 2, "expected \"}\" for the \"{\" in line 1, column 1, found the end of the file"},
    {"\n\na = {\nb=1", 4, 4, "expected \"}\" for the \"{\" in line 3, column 5, found the end"},
    {"a=[", 1, 4, "expected \"]\" for the \"[\" in line 1, column 3, found the end of the file"},
    {"a=[1,", 1, 6, "expected \"]\" for the \"[\" in line 1, column 3, found the end of the file"},
    {"a=[1 2}", 1, 7, "expected a value or \"]\", found \"}\""},
    {"a={b=1]", 1, 7, "expected a key or \"}\", found \"]\""},
    {"a=[1]]", 1, 6, "expected a key or the end of the file, found \"]\""},
    {"a=[b=1]", 1, 4, "expected a value (strings need quotes), found \"b\""},
    {"a=[\"b\":1]", 1, 7, "expected a value or \"]\", found \":\""},
    {"a=[1:2]", 1, 5, "expected a value or \"]\", found \":\""},
    // Numbers.
    {"a=01", 1, 3, "\"01\" is not a number: a number must not have leading zeros"},
    {"a=-01", 1, 3, "\"-01\" is not a number: a number must not have leading zeros"},
    {"a=00", 1, 3, "a number must not have leading zeros"},
    {"a=+1", 1, 3, "\"+1\" is not a number: a number must not start with \"+\""},
    {"a=.5", 1, 3, "\".5\" is not a number: a digit must come before the \".\""},
    {"a=-.5", 1, 3, "\"-.5\" is not a number: a digit must come before the \".\""},
    {"a=1.", 1, 3, "\"1.\" is not a number: a digit must follow the \".\""},
    {"a=1.e5", 1, 3, "a digit must follow the \".\""},
    {"a=.", 1, 3, "a digit must come before the \".\""},
    {"a=-", 1, 3, "\"-\" is not a number: a digit must follow the \"-\""},
    {"a=--1", 1, 3, "a digit must follow the \"-\""},
    {"a=-x", 1, 3, "a digit must follow the \"-\""},
    {"a=1e", 1, 3, "\"1e\" is not a number: a digit must follow the exponent's \"e\""},
    {"a=1e+", 1, 3, "a digit must follow the exponent's \"e\""},
    {"a=1e+-2", 1, 3, "a digit must follow the exponent's \"e\""},
    {"a=1ex", 1, 3, "a digit must follow the exponent's \"e\""},
    {"a=1e2.5", 1, 3, "a number has only digits, one \".\" and one exponent"},
    {"a=1.2.3", 1, 3, "a number has only digits, one \".\" and one exponent"},
    {"a=0x10", 1, 3, "\"0x10\" is not a number: a number has only digits"},
    {"a=1_000", 1, 3, "\"1_000\" is not a number: a number has only digits"},
    {"a=1f", 1, 3, "\"1f\" is not a number: a number has only digits"},
    {"a=1b=2", 1, 3, "\"1b\" is not a number: a number has only digits"},
    {"a=[0.5-1]", 1, 4, "\"0.5-1\" is not a number: a number has only digits"},
    {"a=12345678901234567890x", 1, 3, "is not a number: a number has only digits"},
    {"a=1.2.3456789", 1, 3, "\"1.2.3456789\" is not a number: a number has only digits"},
    {"a=1-2-3", 1, 3, "\"1-2-3\" is not a number: a number has only digits"},
    {"a=-1.", 1, 3, "\"-1.\" is not a number: a digit must follow the \".\""},
    {"a=-00.5", 1, 3, "\"-00.5\" is not a number: a number must not have leading zeros"},
    {"a=1e1000000000000000000000", 1, 3, "it is larger than a double can hold"},
    {"a=1-2", 1, 3, "\"1-2\" is not a number: a number has only digits"},
    {"a=1e309", 1, 3, "\"1e309\" is not a number: it is larger than a double can hold"},
    {"a=-1e99999999999999999999", 1, 3, "it is larger than a double can hold"},
    {"a=nan", 1, 3, "\"nan\" is not a number: numbers must be finite"},
    {"a=NaN", 1, 3, "\"NaN\" is not a number: numbers must be finite"},
    {"a=[inf]", 1, 4, "\"inf\" is not a number: numbers must be finite"},
    {"a=Infinity", 1, 3, "\"Infinity\" is not a number: numbers must be finite"},
    {"a=-Infinity", 1, 3, "\"-Infinity\" is not a number: a digit must follow the \"-\""},
    {"a=\xef\xbc\x91", 1, 3, "expected a value (strings need quotes), found \"\xef\xbc\x91\""},
    // Words.
    {"a=foo", 1, 3, "expected a value (strings need quotes), found \"foo\""},
    {"a=True", 1, 3, "expected a value (strings need quotes), found \"True\""},
    {"a=nul", 1, 3, "expected a value (strings need quotes), found \"nul\""},
    {"a=truee", 1, 3, "expected a value (strings need quotes), found \"truee\""},
    {"a=*", 1, 3, "expected a value (strings need quotes), found \"*\""},
    {"a='x'", 1, 3, "found \"'\"; strings and keys take double quotes"},
    // Strings.
    {"a=\"", 1, 3, "the string that starts here has no closing quote"},
    {"a=\"x", 1, 3, "the string that starts here has no closing quote"},
    {"a=\"x\\", 1, 3, "the string that starts here has no closing quote"},
    {"a=\"x\\\"", 1, 3, "the string that starts here has no closing quote"},
    {"a=\"x\ny\"", 1, 5, "expected the closing quote of a string, found the end of the line"},
    {"a=\"x\r\ny\"", 1, 5, "found the end of the line"},
    {"a=\"x\\\ny\"", 1, 6, "found the end of the line"},
    {"a=\"\t\"", 1, 4, "found the control character 0x09 in a string; write \\u0009"},
    {"a=\"\x1f\"", 1, 4, "found the control character 0x1f in a string; write \\u001f"},
    {"a=\"\\a\"", 1, 4, "unknown escape \"\\a\"; expected one of \\\" \\\\ \\/ \\b"},
    {"a=\"\\'\"", 1, 4, "unknown escape \"\\'\""},
    {"a=\"\\\xc3\xa4\"", 1, 4, "unknown escape \"\\\xc3\xa4\""},
    {"a=\"\\x41\"", 1, 4, "unknown escape \"\\x\""},
    {"a=\"\\U0041\"", 1, 4, "unknown escape \"\\U\""},
    {"a=\"\\u\"", 1, 4, "expected four hexadecimal digits after \\u"},
    {"a=\"\\u12\"", 1, 4, "expected four hexadecimal digits after \\u"},
    {"a=\"\\u12g4\"", 1, 4, "expected four hexadecimal digits after \\u"},
    {"a=\"\\u 123\"", 1, 4, "expected four hexadecimal digits after \\u"},
    {"a=\"x\\ud800\"", 1, 5, "\\ud800 is the first half of a surrogate pair without the second"},
    {"a=\"\\ud800\\n\"", 1, 4, "\\ud800 is the first half"},
    {"a=\"\\ud800x\\udc00\"", 1, 4, "\\ud800 is the first half"},
    {"a=\"\\ud800\\ud800\"", 1, 4, "\\ud800 is the first half"},
    {"a=\"\\ud800\\u12\"", 1, 4, "\\ud800 is the first half"},
    {"a=\"\\udc00\"", 1, 4, "\\udc00 is the second half of a surrogate pair without the first"},
    {"a=\"\"\"", 1, 3, "the \"\"\" string that starts here has no closing \"\"\""},
    {"a=\n\"\"\"x\"\"", 2, 1, "the \"\"\" string that starts here has no closing \"\"\""},
    {"a=\"\"\"x\x01\"\"\"", 1, 7, "found the control character 0x01 in a \"\"\" string"},
    // Comments and bytes between tokens.
    {"a=1 /", 1, 6, "expected \"=\" or \":\" after the key \"/\""},
    {"a=1 /* x", 1, 5, "the comment that starts here has no closing \"*/\""},
    {"/*/", 1, 1, "the comment that starts here has no closing \"*/\""},
    {"a=/* x\n", 1, 3, "the comment that starts here has no closing \"*/\""},
    {"/* /* */ */ a=1", 1, 13, "after the key \"*/\""},
    {"# a\na=1", 1, 3, "expected \"=\" or \":\" after the key \"#\", found \"a\""},
    {"a=1\x0c", 1, 4, "found the control character 0x0c between values"},
    {"a\x0b=1", 1, 2, "found the control character 0x0b between values"},
    {"a=1\x7f", 1, 4, "found the control character 0x7f between values"},
    // UTF-8.
    {"a=\"\xff\"", 1, 4, "found the byte 0xff, which is not valid UTF-8 here"},
    {"a=\"\x80\"", 1, 4, "found the byte 0x80, which is not valid UTF-8 here"},
    {"a=\"\xc3\"", 1, 4, "found the byte 0xc3, which is not valid UTF-8 here"},
    {"a=\"\xc3", 1, 4, "found the byte 0xc3"},
    {"a=\"\xe2\x82\"", 1, 4, "found the byte 0xe2"},
    {"a=\"\xf0\x9f\x98", 1, 4, "found the byte 0xf0"},
    {"a=\"\xc0\x80\"", 1, 4, "found the byte 0xc0"},
    {"a=\"\xc1\xbf\"", 1, 4, "found the byte 0xc1"},
    {"a=\"\xe0\x9f\xbf\"", 1, 4, "found the byte 0xe0"},
    {"a=\"\xf0\x8f\xbf\xbf\"", 1, 4, "found the byte 0xf0"},
    {"a=\"\xed\xa0\x80\"", 1, 4, "found the byte 0xed"},
    {"a=\"\xed\xbf\xbf\"", 1, 4, "found the byte 0xed"},
    {"a=\"\xf4\x90\x80\x80\"", 1, 4, "found the byte 0xf4"},
    {"a=\"\xf5\x80\x80\x80\"", 1, 4, "found the byte 0xf5"},
    {"\xfe\xff", 1, 1, "found the byte 0xfe"},
    {"a = 1\n// \xff\n", 2, 4, "found the byte 0xff"},
    {"/* eight b\xffytes */", 1, 11, "found the byte 0xff"},
    {"a = \"\"\"\n\xff\"\"\"", 2, 1, "found the byte 0xff"},
    {"\xff = 1", 1, 1, "found the byte 0xff"},
};

// Values of any type, through ct_sjson_parse_value. Files are objects only, though JSON's root may
// be anything: a file's root has no braces, and `[1]` or `5` there is a mistake that is better told
// where it stands (a key without its value) than by whoever looks for members later.
static const accepted_case roots[] = {
    {"[]", "[]"},
    {"[1,[2],{\"a\":3}]", "[1,[2],{\"a\":3}]"},
    {"5", "5"},
    {"-0.5e1", "-5"},
    {"1234567890123456", "1234567890123456"},
    {"\"x\"", "\"x\""},
    {"\"\"", "\"\""},
    {"true", "true"},
    {"false", "false"},
    {"null", "null"},
    {"{}", "{}"},
    {"{\"a\":1}", "{\"a\":1}"},
    {" \n[ ]\t", "[]"},
    {"// one\n5 // two", "5"},
    {"[1 2]", "[1,2]"},
    {"{ a = 1 }", "{\"a\":1}"},
    {"\"\"\"\nx\"\"\"", "\"x\""},
    {"\xef\xbb\xbf[]", "[]"},
};

static const refused_case refused_roots[] = {
    {"", 1, 1, "expected a value, found the end of the file"},
    {"// only a comment", 1, 18, "expected a value, found the end of the file"},
    {",", 1, 1, "expected a value, found \",\""},
    {"}", 1, 1, "expected a value, found \"}\""},
    {"\n ]", 2, 2, "expected a value, found \"]\""},
    {"=", 1, 1, "expected a value, found \"=\""},
    {"[}", 1, 2, "expected a value or \"]\", found \"}\""},
    {"[", 1, 2, "expected \"]\" for the \"[\" in line 1, column 1, found the end of the file"},
    {"5 5", 1, 3, "expected the end of the file, found \"5\""},
    {"[],", 1, 3, "expected the end of the file, found \",\""},
    {"a = 1", 1, 1, "expected a value (strings need quotes), found \"a\""},
    {"05", 1, 1, "a number must not have leading zeros"},
    {"\"x", 1, 1, "the string that starts here has no closing quote"},
};

typedef ct_sjson *parse_function(ct_allocator *a, const char *text, uint64_t size_bytes,
                                 const char *file, const ct_sjson_limits *limits, ct_error *error);

static void expect_tape(const accepted_case *c, parse_function *parse) {
    ct_error error = {0};
    ct_sjson *const doc = parse(test_heap(), c->text, strlen(c->text), "case", NULL, &error);
    if (!doc)
        fail_msg("<%s>: %u:%u: %s", c->text, error.line, error.column, error.message);
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &out, CT_SJSON_STYLE_JSON);
    ct_sjson_write_value(&w, doc, ct_sjson_root(doc));
    if (strcmp(out.text, c->json) != 0)
        fail_msg("<%s>: got %s, expected %s", c->text, out.text, c->json);
    ct_string_builder_free(&out);
    ct_sjson_free(doc);
}

static void expect_document(const accepted_case *c) {
    ct_error error = {0};
    ct_sjson_document *const doc =
        ct_sjson_document_parse(test_heap(), c->text, strlen(c->text), "case", NULL, &error);
    if (!doc)
        fail_msg("<%s>: %u:%u: %s", c->text, error.line, error.column, error.message);
    const sjson_edit none = {0};
    ct_string_builder json, written;
    sjson_edit_json(test_heap(), doc, 1, &none, &json);
    if (strcmp(json.text, c->json) != 0)
        fail_msg("<%s>: got %s, expected %s", c->text, json.text, c->json);
    ct_string_builder_init(&written, test_heap());
    ct_sjson_document_write(doc, &written);
    assert_string_equal(ct_string_builder_text(&written), c->text);
    ct_string_builder_free(&json);
    ct_string_builder_free(&written);
    ct_sjson_document_free(doc);
}

static void expect_accepted(const accepted_case *cases, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        expect_tape(&cases[i], ct_sjson_parse);
        expect_document(&cases[i]);
    }
}

static void expect_error(const char *text, const ct_error *error, uint32_t line, uint32_t column,
                         const char *message) {
    if (error->line != line || error->column != column || !strstr(error->message, message))
        fail_msg("<%s>: got %u:%u: %s; expected %u:%u: %s", text, error->line, error->column,
                 error->message, line, column, message);
}

static void expect_refused(const char *text, uint64_t bytes, uint32_t line, uint32_t column,
                           const char *message) {
    ct_error error = {0}, document_error = {0};
    if (ct_sjson_parse(test_heap(), text, bytes, "case", NULL, &error))
        fail_msg("<%s> was accepted", text);
    expect_error(text, &error, line, column, message);
    if (ct_sjson_document_parse(test_heap(), text, bytes, "case", NULL, &document_error))
        fail_msg("<%s> was accepted by the document", text);
    assert_memory_equal(&error, &document_error, sizeof(error));
}

static void accepts_json(void **state) {
    (void)state;
    expect_accepted(json_cases, CT_COUNT_OF(json_cases));
}

static void accepts_the_liberties_of_sjson(void **state) {
    (void)state;
    expect_accepted(liberties, CT_COUNT_OF(liberties));
}

static void refuses_the_rest(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(refused); ++i)
        expect_refused(refused[i].text, strlen(refused[i].text), refused[i].line, refused[i].column,
                       refused[i].message);
}

static void accepts_values_of_any_type(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(roots); ++i)
        expect_tape(&roots[i], ct_sjson_parse_value);
}

static void refuses_what_is_not_one_value(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(refused_roots); ++i) {
        const refused_case *const c = &refused_roots[i];
        ct_error error = {0};
        if (ct_sjson_parse_value(test_heap(), c->text, strlen(c->text), "case", NULL, &error))
            fail_msg("<%s> was accepted", c->text);
        expect_error(c->text, &error, c->line, c->column, c->message);
    }
}

static void refuses_zero_bytes_anywhere(void **state) {
    (void)state;
    static const char between[] = "a = \0001", in_string[] = "a = \"\0\"", in_key[] = "a\0 = 1",
                      in_comment[] = "// \0", in_raw[] = "a=\"\"\"\n\0\"\"\"", at_end[] = "a = 1";
    expect_refused(between, sizeof(between) - 1, 1, 5, "found a zero byte in the text");
    expect_refused(in_string, sizeof(in_string) - 1, 1, 6, "found a zero byte in the text");
    expect_refused(in_key, sizeof(in_key) - 1, 1, 2, "found a zero byte in the text");
    expect_refused(in_comment, sizeof(in_comment) - 1, 1, 4, "found a zero byte in the text");
    expect_refused(in_raw, sizeof(in_raw) - 1, 2, 1, "found a zero byte in the text");
    expect_refused(at_end, sizeof(at_end), 1, 6, "found a zero byte in the text");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_json),
        cmocka_unit_test(accepts_the_liberties_of_sjson),
        cmocka_unit_test(refuses_the_rest),
        cmocka_unit_test(accepts_values_of_any_type),
        cmocka_unit_test(refuses_what_is_not_one_value),
        cmocka_unit_test(refuses_zero_bytes_anywhere),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
