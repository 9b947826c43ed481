//! A plugin in Rust: Words.count(text) in Lua.
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals, dead_code)]

use std::ffi::{c_void, CStr};
use std::os::raw::{c_char, c_int};
use std::sync::atomic::{AtomicPtr, Ordering};

/// What bindgen made of the headers.
mod cuttle {
    include!(env!("CUTTLE_RS"));
}

/// Constant structs of the plugin hold pointers, which Rust does not share by itself.
struct Shared<T>(T);
unsafe impl<T> Sync for Shared<T> {}

static LUA: AtomicPtr<cuttle::cuttle_lua_api_1> = AtomicPtr::new(std::ptr::null_mut());

fn lua() -> &'static cuttle::cuttle_lua_api_1 {
    unsafe { &*LUA.load(Ordering::Relaxed) }
}

/// Functions that check arguments raise errors of Lua, which must not go through Rust: so this one
/// returns it.
unsafe fn fail(state: *mut cuttle::lua_State, message: &str) -> c_int {
    (lua().push_string.unwrap())(state, message.as_ptr() as *const c_char, message.len() as _);
    cuttle::CUTTLE_LUA_ERROR
}

unsafe extern "C" fn count(state: *mut cuttle::lua_State) -> c_int {
    let mut bytes = 0;
    let text = (lua().to_string.unwrap())(state, 1, &mut bytes);
    if text.is_null() {
        return fail(state, "argument 1 (text): expected string");
    }
    let text = std::slice::from_raw_parts(text as *const u8, bytes as usize);
    let number = text.split(|b| b.is_ascii_whitespace()).filter(|word| !word.is_empty()).count();
    (lua().push_number.unwrap())(state, number as f64);
    1
}

static FUNCTIONS: Shared<[cuttle::cuttle_lua_function; 1]> = Shared([cuttle::cuttle_lua_function {
    name: b"count\0".as_ptr() as *const c_char,
    call: Some(count),
    signature: b"(text: string) -> integer\0".as_ptr() as *const c_char,
    doc: b"How many words a text has.\0".as_ptr() as *const c_char,
}]);

static MODULE: Shared<cuttle::cuttle_lua_module> = Shared(cuttle::cuttle_lua_module {
    name: b"Words\0".as_ptr() as *const c_char,
    doc: b"Words of texts, counted in Rust.\0".as_ptr() as *const c_char,
    functions: &FUNCTIONS.0 as *const cuttle::cuttle_lua_function,
    num_functions: 1,
});

unsafe extern "C" fn init(
    plugin: *mut cuttle::cuttle_plugin,
    get_api: cuttle::cuttle_get_api,
    error: *mut cuttle::cuttle_error,
) -> bool {
    let api = (get_api.unwrap())(cuttle::CUTTLE_LUA_API.as_ptr() as *const c_char, 1);
    LUA.store(api as *mut cuttle::cuttle_lua_api_1, Ordering::Relaxed);
    api.is_null() || (lua().add_module.unwrap())(plugin, &MODULE.0, error)
}

static PLUGIN: Shared<cuttle::cuttle_plugin_api_1> = Shared(cuttle::cuttle_plugin_api_1 {
    name: b"words\0".as_ptr() as *const c_char,
    needs: std::ptr::null(),
    init: Some(init),
    reloaded: None,
    start: None,
    end: None,
    update: None,
    render: None,
    shutdown: None,
});

/// The one function that the engine looks for.
///
/// # Safety
/// `name` ends with a zero byte.
#[no_mangle]
pub unsafe extern "C" fn cuttle_plugin_get_api(name: *const c_char, version: u32) -> *const c_void {
    if CStr::from_ptr(name).to_bytes_with_nul() == cuttle::CUTTLE_PLUGIN_API && version == 1 {
        &PLUGIN.0 as *const _ as *const c_void
    } else {
        std::ptr::null()
    }
}
