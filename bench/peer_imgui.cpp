#include "peer_imgui.h"

#include <imgui.h>
#include <imgui_internal.h>

struct peer_imgui {
    ImGuiContext *context;
    ImDrawList *list;
};

peer_imgui *peer_imgui_create(void) {
    peer_imgui *const p = new peer_imgui;
    p->context = ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(1920, 1080);
    unsigned char *pixels;
    int width, height;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    ImGui::NewFrame();
    p->list = ImGui::GetBackgroundDrawList();
    return p;
}

void peer_imgui_destroy(peer_imgui *p) {
    ImGui::EndFrame();
    ImGui::DestroyContext(p->context);
    delete p;
}

static void reset(peer_imgui *p) {
    p->list->_ResetForNewFrame();
    p->list->PushTextureID(ImGui::GetIO().Fonts->TexID);
    p->list->PushClipRectFullScreen();
}

uint32_t peer_imgui_rects(peer_imgui *p, const float (*rects)[4], const uint32_t *colors,
                          uint32_t count) {
    reset(p);
    for (uint32_t i = 0; i < count; ++i)
        p->list->AddRectFilled(ImVec2(rects[i][0], rects[i][1]),
                               ImVec2(rects[i][0] + rects[i][2], rects[i][1] + rects[i][3]),
                               colors[i]);
    return static_cast<uint32_t>(p->list->VtxBuffer.Size);
}

uint32_t peer_imgui_texts(peer_imgui *p, const char *const *texts, uint32_t count) {
    reset(p);
    for (uint32_t i = 0; i < count; ++i)
        p->list->AddText(ImVec2(10, static_cast<float>(i % 60) * 16), 0xffffffff, texts[i]);
    return static_cast<uint32_t>(p->list->VtxBuffer.Size);
}
