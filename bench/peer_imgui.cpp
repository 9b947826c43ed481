#include "peer_imgui.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <cstdio>

struct peer_imgui {
    ImGuiContext *context;
    ImDrawList *list;
    float scroll;
    float values[100];
    bool checks[100];
};

peer_imgui *peer_imgui_create(void) {
    peer_imgui *const p = new peer_imgui();
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

// Ends the frame, and begins the next one.
static uint32_t render() {
    ImGui::Render();
    const uint32_t count = static_cast<uint32_t>(ImGui::GetDrawData()->TotalVtxCount);
    ImGui::NewFrame();
    return count;
}

static const ImGuiWindowFlags WINDOW = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                       ImGuiWindowFlags_NoTitleBar |
                                       ImGuiWindowFlags_NoSavedSettings;

uint32_t peer_imgui_list(peer_imgui *p) {
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(600, 1000));
    ImGui::Begin("list", nullptr, WINDOW);
    p->scroll = p->scroll + 77 < 1900000 ? p->scroll + 77 : 0;
    ImGui::SetScrollY(p->scroll);
    ImGuiListClipper clipper;
    clipper.Begin(100000, 20);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            char text[32];
            std::snprintf(text, sizeof(text), "Row %d", i);
            ImGui::Selectable(text, false, 0, ImVec2(0, 16));
        }
    ImGui::End();
    return render();
}

uint32_t peer_imgui_form(peer_imgui *p) {
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(1920, 1080));
    ImGui::Begin("form", nullptr, WINDOW);
    for (int i = 0; i < 100; ++i) {
        char text[32];
        std::snprintf(text, sizeof(text), "%d", i);
        ImGui::PushID(i);
        if (i % 4 != 0)
            ImGui::SameLine();
        ImGui::TextUnformatted(text);
        ImGui::SameLine();
        ImGui::Button(text, ImVec2(90, 36));
        ImGui::SameLine();
        ImGui::Checkbox(text, &p->checks[i]);
        ImGui::SameLine();
        ImGui::SetNextItemWidth(90);
        ImGui::SliderFloat("##slider", &p->values[i], 0, 1);
        ImGui::SameLine();
        ImGui::ProgressBar(static_cast<float>(i) / 100, ImVec2(90, 0));
        ImGui::PopID();
    }
    ImGui::End();
    return render();
}
