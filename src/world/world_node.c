#include "world/world_node.h"

#include "particles/component/particles_component.h"
#include "render/component/mesh_component.h"
#include "sound/component/sound_listener_component.h"
#include "sound/component/sound_source_component.h"

ct_world_node ct_world_node_of(const ct_world *w, ct_entity e, uint32_t node) {
    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(w);
    if (node && ct_scene_graph_node_still(graphs, e, node))
        return (ct_world_node){
            .graphs = graphs, .graph = ct_scene_graph_lookup(graphs, e), .node = node};
    ct_transform_manager *const transforms = ct_world_transforms(w);
    return (ct_world_node){.transforms = transforms,
                           .transform = ct_transform_lookup(transforms, e)};
}

void ct_world_jump(const ct_world *w, ct_entity e) {
    ct_mesh_jump(ct_world_meshes(w), e);
    if (ct_world_physics(w))
        ct_actors_jump(ct_world_physics(w), e);
    if (ct_world_particles_components(w))
        ct_particle_links_jump(ct_particles_components_links(ct_world_particles_components(w)), e);
    if (ct_world_sound_sources(w)) {
        ct_sound_links_jump(ct_sound_source_components_links(ct_world_sound_sources(w)), e);
        ct_sound_listeners_jump(ct_world_sound_listeners(w), e);
    }
}
