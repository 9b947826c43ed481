// Made by `cuttle protocol --typescript`; do not edit. The types of the console's messages.

/** Equal to `protocol` of an engine with these messages. */
export const protocolHash = "8a736f9cc7b22faf";

// console: Lua, commands and the log.

/** runs Lua on the update thread, between two frames. Without an id, errors are logged */
export interface ScriptMessage {
    type: "script";
    id?: string | number;
    /** an expression or statements */
    script: string;
}
export interface ScriptAnswer {
    type: "result";
    id?: string | number;
    /** the returned values as text, separated by tabs */
    result?: string;
    /** why it failed, in place of the result */
    error?: string;
    /** of the error */
    traceback?: string;
    /** true: the text ends too early, and more lines may complete it */
    unfinished?: boolean;
}

/** lists what can follow in a text: globals of Lua, members after `a.b.` or `a:`, names of resources inside quotes; at most 512. Runs no Lua */
export interface CompleteMessage {
    type: "complete";
    id?: string | number;
    /** what somebody has typed */
    text: string;
}
export interface CompleteAnswer {
    type: "completions";
    id?: string | number;
    /** the byte of the text that the names begin at */
    start: number;
    /** what can be there */
    names: string[];
}

/** runs a command of the console; the command `help` lists them. Without an id, errors are logged */
export interface CommandMessage {
    type: "command";
    id?: string | number;
    /** its name */
    command: string;
    /** what follows the name */
    arguments?: (string | number)[];
    /** of the command quit */
    exit_code?: number;
    /** of the command screenshot: always refused, since clients write pictures */
    file?: string;
}
export interface CommandAnswer {
    type: "result";
    id?: string | number;
    binary_size?: number;
    /** text for people */
    result?: string;
    /** why it failed, in place of the result */
    error?: string;
    /** of the binary data: png */
    file_type?: string;
}

/** looks for changed sources now, without waiting for the system's notice */
export interface ReloadMessage {
    type: "reload";
    id?: string | number;
}
export interface ReloadAnswer {
    type: "result";
    id?: string | number;
    /** reload */
    result?: string;
}

/** asks for a sign of life */
export interface PingMessage {
    type: "ping";
    id?: string | number;
}
export interface PingAnswer {
    type: "pong";
    id?: string | number;
}

// authorize: Connections from other machines.

/** proves that the sender may use the console: the first message of a connection that is not of this machine's user. With a wrong token the connection is closed. Other connections need none, and may send any */
export interface AuthorizeMessage {
    type: "authorize";
    id?: string | number;
    /** of `cuttle run --console-token-file`, 16 to 255 characters */
    token: string;
}
export interface AuthorizeAnswer {
    type: "result";
    id?: string | number;
}

// engine: What runs, its log and its commands.

/** a message of the log */
export interface LogMessage {
    /** counts messages from 1, without gaps; a crash has none */
    number?: number;
    /** since the console began to listen */
    seconds?: number;
    /** how bad it is */
    level: "debug" | "info" | "warning" | "error";
    /** the part of the engine */
    system: string;
    /** the text. Warnings and many errors of the engine end with an id in brackets, such as [device_lost], which stays when the wording changes */
    message: string;
    /** where Lua printed it, or failed; "console": in text from a console */
    script?: string;
    /** of the script, from 1 */
    line?: number;
    /** of an error of Lua; the message ends with it */
    traceback?: string;
}

/** a game that runs */
export interface EngineRow {
    /** of its console */
    port: number;
    /** the name of its project's folder */
    project?: string;
    /** its project's folder, absolute */
    folder?: string;
    /** its number in the system */
    process?: number;
}

/** a command of the console */
export interface ConsoleCommand {
    /** of the command */
    name: string;
    /** its arguments, as help shows them */
    usage: string;
    /** one line */
    summary: string;
}

/** describes the game that runs */
export interface EngineInfoMessage {
    type: "engine_info";
    id?: string | number;
}
export interface EngineInfoAnswer {
    type: "result";
    id?: string | number;
    /** the name of the project's folder */
    project?: string;
    /** the project's folder, absolute */
    folder?: string;
    /** the engine's own data, absolute: its files are `core/…` */
    core_folder?: string;
    /** of the engine */
    version: string;
    /** changes with the messages: the hash of their schema */
    protocol: string;
    /** how it was built */
    build: string;
    /** its number in the system */
    process: number;
    /** of the console */
    port?: number;
    /** since the console began to listen, as messages of the log have it */
    seconds?: number;
    /** the number of the frame */
    frame: number;
    /** milliseconds of the last frame */
    frame_ms: number;
    /** of it, the work of the update thread */
    update_ms: number;
    /** of it, recording and submitting to the device */
    submit_ms: number;
    /** that a frame may take at its frame rate */
    budget_ms: number;
    /** of the picture in pixels */
    width: number;
    /** of the picture in pixels */
    height: number;
    /** that draws it */
    device: string;
    /** whether there is no window */
    headless: boolean;
    /** whether the game's update rests */
    paused: boolean;
    /** how many there are */
    worlds: number;
    /** their names */
    plugins: string[];
}

/** lists the other games of this user on this machine whose consoles listen at the ports 64000 to 64063. The answer comes after up to some seconds */
export interface EngineListMessage {
    type: "engine_list";
    id?: string | number;
}
export interface EngineListAnswer {
    type: "result";
    id?: string | number;
    /** by port, without this one */
    engines: EngineRow[];
}

/** lists messages of the log since the console began to listen, the oldest first. The last 100,000 are kept, in at most 16 MiB; an answer ends early after 4 MiB of JSON. Events of the type `message` with numbers from `next` on follow */
export interface LogHistoryMessage {
    type: "log_history";
    id?: string | number;
    /** the number to begin with; without it, the last ones */
    first?: number;
    /** at most 10,000; 1,000 without it */
    count?: number;
}
export interface LogHistoryAnswer {
    type: "result";
    id?: string | number;
    /** the oldest number that is kept */
    first: number;
    /** the number that the next message gets */
    next: number;
    /** in order, without gaps */
    messages: LogMessage[];
}

/** lists the commands of the console */
export interface CommandsMessage {
    type: "commands";
    id?: string | number;
}
export interface CommandsAnswer {
    type: "result";
    id?: string | number;
    /** sorted by name */
    commands: ConsoleCommand[];
}

// frames: What the engine draws, and input for it.

/** a part of a picture, in pixels from the top left */
export interface FrameTile {
    /** of its left */
    x: number;
    /** of its top */
    y: number;
    /** of it */
    width: number;
    /** of it */
    height: number;
    /** of its file */
    bytes: number;
}

/** input of a device, as in Input.add_remote_events of Lua */
export interface InputEvent {
    /** keyboard, mouse, touch, pad1 … */
    device: string;
    /** what happened */
    kind: "pressed" | "released" | "axis" | "keystroke" | "text" | "touch_began" | "touch_moved" | "touch_ended";
    /** of the button or axis */
    name?: string;
    /** of the contact of touch */
    number?: number;
    /** of the axis, or where the touch is: x, y, z */
    value?: number[];
    /** what was typed */
    text?: string;
}

/** opens a stream of pictures, as events `frame`: of the game's picture; or, with a world, of what a camera of this client sees there. It ends with the connection, and with the world */
export interface FrameOpenMessage {
    type: "frame_open";
    id?: string | number;
    /** the most, in pixels, 16 to 4096 */
    width: number;
    /** the most, in pixels, 16 to 4096 */
    height: number;
    /** the most pictures a second, 0.1 to 120; 30 without it */
    rate?: number;
    /** jpeg without it */
    format?: "jpeg" | "png";
    /** of jpeg, 1 to 100; 75 without it */
    quality?: number;
    /** the part of the game's picture: x, y, width, height as fractions */
    rectangle?: number[];
    /** its number in world_list */
    world?: number;
    /** of the render config; default without it */
    viewport?: string;
    /** of the camera: x, y, z in metres */
    position?: number[];
    /** of the camera: a quaternion x, y, z, w; without one it looks along y */
    rotation?: number[];
    /** from bottom to top, in degrees, 1 to 170 */
    field_of_view?: number;
}
export interface FrameOpenAnswer {
    type: "result";
    id?: string | number;
    /** its number, for the messages below */
    stream: number;
}

/** moves the camera of a stream */
export interface FrameCameraMessage {
    type: "frame_camera";
    id?: string | number;
    /** from frame_open */
    stream: number;
    /** of the camera: x, y, z in metres */
    position?: number[];
    /** of the camera: a quaternion x, y, z, w; without one it looks along y */
    rotation?: number[];
    /** from bottom to top, in degrees, 1 to 170 */
    field_of_view?: number;
}
export interface FrameCameraAnswer {
    type: "result";
    id?: string | number;
}

/** says that a picture was shown, and those before it; at most 3 are on their way */
export interface FrameShownMessage {
    type: "frame_shown";
    id?: string | number;
    /** from frame_open */
    stream: number;
    /** of the picture; without it the oldest on its way */
    number?: number;
}
export interface FrameShownAnswer {
    type: "result";
    id?: string | number;
}

/** ends a stream */
export interface FrameCloseMessage {
    type: "frame_close";
    id?: string | number;
    /** from frame_open */
    stream: number;
}
export interface FrameCloseAnswer {
    type: "result";
    id?: string | number;
}

/** gives the game input, as if its devices had sent it */
export interface InputMessage {
    type: "input";
    id?: string | number;
    /** in order; all or none count */
    events: InputEvent[];
}
export interface InputAnswer {
    type: "result";
    id?: string | number;
}

// memory: Allocators, and what allocated.

/** an allocator */
export interface MemoryRow {
    /** the names from its root, with slashes between them */
    path: string;
    /** 0 for roots */
    depth: number;
    /** of blocks that were not freed */
    live_bytes: number;
    /** the most that ever lived */
    peak_bytes: number;
    /** that were not freed */
    live_blocks: number;
    /** whether its call stacks are recorded */
    traced: boolean;
}

/** the live blocks that one call stack allocated */
export interface MemoryStack {
    /** of them */
    bytes: number;
    /** how many */
    blocks: number;
    /** function, file and line, innermost first */
    frames: string[];
}

/** lists all allocators, parents before children */
export interface MemoryTreeMessage {
    type: "memory_tree";
    id?: string | number;
}
export interface MemoryTreeAnswer {
    type: "result";
    id?: string | number;
    /** of the process, in memory */
    resident_bytes?: number;
    /** of the process, of its addresses */
    virtual_bytes?: number;
    /** some 100; their children's bytes are within theirs */
    allocators: MemoryRow[];
}

/** starts or ends to record the call stack of each block that an allocator, and all over it, hand out. Blocks from before are not in the report. It ends with the connections that have asked for it */
export interface MemoryTraceMessage {
    type: "memory_trace";
    id?: string | number;
    /** a path of memory_tree, or the end of one */
    name: string;
    /** whether it shall be traced */
    on: boolean;
}
export interface MemoryTraceAnswer {
    type: "result";
    id?: string | number;
    /** whether it is traced now */
    on: boolean;
}

/** lists the call stacks of the live blocks of a traced allocator, most bytes first. Slow: it looks up symbols, which takes some 100 ms the first time */
export interface MemoryReportMessage {
    type: "memory_report";
    id?: string | number;
    /** a path of memory_tree, or the end of one */
    name: string;
    /** of call stacks: at most 1,000; 64 without it */
    count?: number;
}
export interface MemoryReportAnswer {
    type: "result";
    id?: string | number;
    /** most bytes first */
    stacks: MemoryStack[];
    /** of all call stacks */
    bytes: number;
    /** of all call stacks */
    blocks: number;
    /** number of call stacks */
    total: number;
}

// resources: What is loaded, and what refers to it.

/** a resource */
export interface ResourceRow {
    /** such as texture */
    resource_type: string;
    /** or # and its number, where shipped data does not have it */
    name: string;
    /** of its data, by the catalog */
    bytes: number;
    /** beside it, such as the large levels of a texture */
    stream_bytes: number;
    /** packages, and loads without one */
    holders: number;
    /** what is known of it */
    state: "online" | "loading" | "refused" | "not loaded";
    /** true: the program has made it */
    made?: boolean;
}

/** the resources of one type */
export interface ResourceType {
    /** such as texture */
    resource_type: string;
    /** of resources */
    count: number;
    /** of data and streams */
    bytes: number;
}

/** lists the resources that are loaded, or being loaded, by type and name */
export interface ResourceListMessage {
    type: "resource_list";
    id?: string | number;
    /** only those of this type */
    resource_type?: string;
    /** part of the name, in any case */
    filter?: string;
    /** the place to begin with, from 0 */
    first?: number;
    /** at most 10,000; 1,000 without it */
    count?: number;
}
export interface ResourceListAnswer {
    type: "result";
    id?: string | number;
    /** of all pages together */
    total: number;
    /** sums over all pages */
    types: ResourceType[];
    /** of this page */
    resources: ResourceRow[];
}

/** lists what refers to a resource, what it refers to, and the packages that hold it; 1,000 of each at most */
export interface ResourceUsersMessage {
    type: "resource_users";
    id?: string | number;
    /** such as texture */
    resource_type: string;
    /** of the resource */
    name: string;
}
export interface ResourceUsersAnswer {
    type: "result";
    id?: string | number;
    /** what refers to it */
    users: ResourceRow[];
    /** how many there are */
    num_users: number;
    /** what it refers to */
    uses: ResourceRow[];
    /** how many there are */
    num_uses: number;
    /** that hold it */
    packages: ResourceRow[];
    /** how many there are */
    num_packages: number;
}

// entities: Worlds, units and their components.

/** a world */
export interface WorldRow {
    /** its number, which no later world gets */
    world: number;
    /** how many live in it */
    units: number;
    /** of game time since it was made */
    seconds: number;
    /** in the order in which they came */
    levels: LevelRow[];
}

/** a level of a world */
export interface LevelRow {
    /** its number */
    level: number;
    /** of its resource */
    name: string;
    /** in its source */
    units: number;
    /** false while it is spawned gradually */
    spawned: boolean;
}

/** a unit, or an entity inside one */
export interface EntityRow {
    /** its number, which no later entity gets soon */
    entity: number;
    /** its debug name */
    name?: string;
    /** of a unit: its resource */
    resource?: string;
    /** the number of the level that spawned its unit */
    level?: number;
    /** of an entity inside a unit: the unit's */
    unit?: number;
    /** the entity to which its transform is linked */
    parent?: number;
}

/** an entity that a ray hits */
export interface EntityHit {
    /** its number, which no later entity gets soon */
    entity: number;
    /** its debug name */
    name?: string;
    /** of a unit: its resource */
    resource?: string;
    /** the number of the level that spawned its unit */
    level?: number;
    /** of an entity inside a unit: the unit's */
    unit?: number;
    /** the entity to which its transform is linked */
    parent?: number;
    /** what was hit */
    by: "mesh" | "physics";
    /** metres from where the ray begins */
    distance: number;
    /** of the point, in the world */
    position: number[];
    /** of the surface there */
    normal: number[];
}

/** a component of an entity */
export interface EntityComponent {
    /** such as transform, or script for a behaviour */
    type: string;
    /** among those of its type, from 0 */
    place: number;
    /** where an entity may have several */
    id?: string;
    /** of a behaviour */
    script?: string;
    /** in the order of the component */
    fields: EntityField[];
}

/** a field of a component */
export interface EntityField {
    /** of the field */
    name: string;
    /** what the value is. Vectors, quaternions (x y z w) and colors (linear) are arrays of numbers; names and references are text or null */
    kind: "boolean" | "integer" | "number" | "vector2" | "vector3" | "vector4" | "quaternion" | "color" | "numbers" | "enum" | "text" | "name" | "names" | "reference" | "references" | "entity" | "nodes" | "value";
    /** whether entity_set may change it */
    can_set: boolean;
    /** null also for numbers that are not finite */
    value: unknown;
    /** such as m or rad */
    unit?: string;
    /** of its range */
    least?: number;
    /** of its range */
    most?: number;
    /** of an enum */
    choices?: string[];
    /** of a reference */
    resource_type?: string;
}

/** lists the worlds of the game and their levels */
export interface WorldListMessage {
    type: "world_list";
    id?: string | number;
}
export interface WorldListAnswer {
    type: "result";
    id?: string | number;
    /** in the order in which they were made */
    worlds: WorldRow[];
}

/** lists units of a world by their numbers, ascending. For the next page, give `next` of the last one as `after`: a unit that lives all the while is in exactly one page */
export interface EntityListMessage {
    type: "entity_list";
    id?: string | number;
    /** its number from world_list; the first one without it */
    world?: number;
    /** the number after which to begin */
    after?: number;
    /** at most 10,000; 1,000 without it */
    count?: number;
    /** part of the name or the resource, in any case; other units are left out */
    filter?: string;
    /** whether entities inside units are listed, too */
    parts?: boolean;
}
export interface EntityListAnswer {
    type: "result";
    id?: string | number;
    /** whose they are */
    world: number;
    /** of all pages together, now */
    total: number;
    /** for `after` of the next page; left out in the last one */
    next?: number;
    /** of this page */
    entities: EntityRow[];
}

/** lists the units of a world that came, changed or went since an earlier answer: a tool that watches a large world gets little. A change is another name or another parent */
export interface EntityChangesMessage {
    type: "entity_changes";
    id?: string | number;
    /** its number from world_list; the first one without it */
    world?: number;
    /** `version` of the answer before; all units are listed without it */
    since?: number;
    /** of the units that are listed, at most 10,000; 2,500 without it */
    count?: number;
}
export interface EntityChangesAnswer {
    type: "result";
    id?: string | number;
    /** whose they are */
    world: number;
    /** for `since` of the next message */
    version: number;
    /** how many units live in the world */
    total: number;
    /** true: this is the start of a list of all units; forget those from before */
    whole: boolean;
    /** true: there is more; ask again at once */
    more: boolean;
    /** that came or changed, as they are now */
    entities: EntityRow[];
    /** the numbers of units that are gone */
    gone: number[];
}

/** lists the components of an entity with the values of their fields */
export interface EntityComponentsMessage {
    type: "entity_components";
    id?: string | number;
    /** its number */
    entity: number;
    /** only those of this type */
    component?: string;
}
export interface EntityComponentsAnswer {
    type: "result";
    id?: string | number;
    /** in which it lives */
    world: number;
    /** its number, which no later entity gets soon */
    entity: number;
    /** its debug name */
    name?: string;
    /** of a unit: its resource */
    resource?: string;
    /** the number of the level that spawned its unit */
    level?: number;
    /** of an entity inside a unit: the unit's */
    unit?: number;
    /** the entity to which its transform is linked */
    parent?: number;
    /** type by type */
    components: EntityComponent[];
}

/** sets a field of a component to a value of its kind, as entity_components gives it */
export interface EntitySetMessage {
    type: "entity_set";
    id?: string | number;
    /** its number */
    entity: number;
    /** its type */
    component: string;
    /** among those of its type, from 0; 0 without it */
    place?: number;
    /** its name; of data also a new one */
    field: string;
    /** null takes a name, a reference or a key of data away */
    value: unknown;
}
export interface EntitySetAnswer {
    type: "result";
    id?: string | number;
    /** as it is now: rotations are normalised, for example */
    component: EntityComponent;
}

/** finds what is at a point: of the game's picture, of a stream of frames, or as a camera sees it. Tests the triangles of visible meshes as they were modelled, and solid actors up to 10 km away */
export interface EntityPickMessage {
    type: "entity_pick";
    id?: string | number;
    /** from 0, left, to 1 */
    x: number;
    /** from 0, top, to 1 */
    y: number;
    /** a stream of this client, whose picture is meant */
    stream?: number;
    /** an entity whose first camera is meant */
    camera?: number;
    /** width by height of the camera's picture; 16 / 9 without it */
    aspect?: number;
}
export interface EntityPickAnswer {
    type: "result";
    id?: string | number;
    /** that is seen there */
    world: number;
    /** where the ray begins */
    from: number[];
    /** of the ray, of length 1 */
    direction: number[];
    /** the nearest first, at most 64 */
    hits: EntityHit[];
}

/** outlines entities, with all that is in units, in place of those that this client selected before. Those without meshes get a cross of lines. Ends with the connection; no entities end it, too */
export interface EntitySelectMessage {
    type: "entity_select";
    id?: string | number;
    /** at most 1,000; those that have ended are left out */
    entities: number[];
    /** linear red, green and blue from 0 to 1; orange without it */
    color?: number[];
}
export interface EntitySelectAnswer {
    type: "result";
    id?: string | number;
    /** how many live */
    selected: number;
}

// statistics: Live figures of the systems.

/** a table of figures */
export interface StatisticsTable {
    /** of the table */
    name: string;
    /** what is in it, and in which units */
    summary: string;
    /** their names */
    columns: string[];
    /** a value for each column; at most 1,000 rows */
    rows: unknown[][];
}

/** lists figures of the systems as tables: frame, render, tasks, worlds, physics, particles, particle_effects, navigation, navigation_agents, scripts, sound, sound_buses, sound_playing */
export interface StatisticsMessage {
    type: "statistics";
    id?: string | number;
    /** of the tables; all without it */
    names?: string[];
}
export interface StatisticsAnswer {
    type: "result";
    id?: string | number;
    /** in the order of the names */
    tables: StatisticsTable[];
}

// network: Peers, objects, and what goes over the network.

/** a connection */
export interface NetworkPeer {
    /** the other end */
    peer: string;
    /** of it */
    address: string;
    /** in seconds; 0: unknown */
    round_trip: number;
    /** of its datagrams, 0 to 1 */
    loss_in: number;
    /** of ours, 0 to 1 */
    loss_out: number;
    /** seconds since it was heard */
    silence: number;
    /** of datagrams */
    bytes_in: number;
    /** of datagrams */
    bytes_out: number;
    /** so far */
    datagrams_in: number;
    /** so far */
    datagrams_out: number;
    /** reliable, sent and not acknowledged */
    waiting_bytes: number;
    /** packets for which the bandwidth had no room */
    held_back: number;
    /** whether it is not sealed */
    plain: boolean;
}

/** the game session */
export interface NetworkSession {
    /** what it does */
    state: "idle" | "joining" | "in" | "migrating" | "ended";
    /** whether this program hosts it */
    is_host: boolean;
    /** its host's peer */
    host: string;
    /** in the order of their slots */
    peers: string[];
    /** how many there are */
    objects: number;
    /** sent */
    reliable_bytes: number;
    /** of fields, sent */
    state_bytes: number;
    /** of fields, sent */
    state_packets: number;
    /** objects in packets, sent */
    entries: number;
    /** sent again, as their packet did not arrive */
    lost_entries: number;
    /** received, and of no use */
    dropped_packets: number;
}

/** an object of the session */
export interface NetworkObject {
    /** its number */
    object: number;
    /** of its type */
    name: string;
    /** its owner's peer */
    owner: string;
    /** in the order of its type */
    fields: NetworkField[];
}

/** a field of an object */
export interface NetworkField {
    /** of the field */
    name: string;
    /** a number, a boolean, a text, or an array */
    value: unknown;
}

/** one thing that was sent or received */
export interface NetworkEvent {
    /** counts from 1 */
    number: number;
    /** by the network's clock */
    seconds: number;
    /** fields: of an object, in a packet; packet: without its objects; lost: it did not arrive; object: created, or another owner; control: of the session itself */
    kind: "none" | "fields" | "packet" | "lost" | "object" | "give" | "destroy" | "message" | "control";
    /** the other end */
    peer: string;
    /** false: received */
    sent: boolean;
    /** that it takes in its packet */
    bits: number;
    /** true: received, and of no use */
    dropped?: boolean;
    /** its number */
    object?: number;
    /** of the object's type, the message, or the control message */
    name?: string;
    /** that were sent */
    fields?: NetworkFieldBits[];
}

/** a field that was sent */
export interface NetworkFieldBits {
    /** of the field */
    name: string;
    /** that it took */
    bits: number;
}

/** lists the connections of the game's network with their figures, its session, and objects with their fields. For the next page of objects, give `next` as `after` */
export interface NetworkStateMessage {
    type: "network_state";
    id?: string | number;
    /** the number of an object after which to begin */
    after?: number;
    /** of objects: at most 2,000; 200 without it */
    count?: number;
}
export interface NetworkStateAnswer {
    type: "result";
    id?: string | number;
    /** this program's peer: 16 hexadecimal digits, as all peers */
    self: string;
    /** at which it receives */
    address: string;
    /** whether silent peers are dropped */
    timeouts: boolean;
    /** datagrams that were of no use */
    dropped: number;
    /** that are connected, at most 256 */
    peers: NetworkPeer[];
    /** while there is one */
    session?: NetworkSession;
    /** of objects of all pages */
    total: number;
    /** for `after` of the next page; left out in the last one */
    next?: number;
    /** of the session, by number */
    objects: NetworkObject[];
}

/** lists what the session sent and received, the oldest first. It is recorded from the first such message on, and until 10 seconds after the last; the newest 8,192 are kept */
export interface NetworkEventsMessage {
    type: "network_events";
    id?: string | number;
    /** the number to begin with; without it, the last ones */
    first?: number;
    /** at most 8,192; 1,000 without it */
    count?: number;
}
export interface NetworkEventsAnswer {
    type: "result";
    id?: string | number;
    /** the oldest number that is kept */
    first: number;
    /** the number that the next one gets */
    next: number;
    /** in order, without gaps */
    events: NetworkEvent[];
}

// debugger: Breakpoints, steps and values. Most need an attached client.

/** a coroutine, or a state of jobs */
export interface DebuggerThread {
    /** its number */
    thread: number;
    /** its name */
    name: string;
    /** what it does, or the name of its state */
    state: string;
    /** whether it has stopped */
    is_stopped: boolean;
}

/** where the game has stopped */
export interface DebuggerStop {
    /** why it stopped */
    reason: "breakpoint" | "step" | "pause" | "error" | "time limit";
    /** which */
    thread: number;
    /** empty before the first line */
    script: string;
    /** 0 before the first line */
    line: number;
    /** the error */
    text?: string;
    /** numbers of those that were hit */
    breakpoints?: number[];
}

/** a breakpoint as a client wants it */
export interface DebuggerBreakpoint {
    /** from 1 */
    line: number;
    /** an expression; stops where it is neither false nor nil */
    condition?: string;
    /** "5", ">5", ">=5" or "%5": which times count */
    hits?: string;
    /** a text that is sent, in place of a stop */
    log?: string;
    /** only for behaviours of this unit */
    unit?: string;
}

/** a breakpoint as the game has it */
export interface DebuggerBreakpointState {
    /** its number */
    breakpoint: number;
    /** whether the game can stop there */
    verified: boolean;
    /** where it is */
    line?: number;
    /** why it is not verified */
    message?: string;
}

/** a function that runs */
export interface DebuggerFrame {
    /** its number, until the game goes on */
    frame: number;
    /** the best that is known */
    name: string;
    /** which kind of code it is */
    kind: "lua" | "c" | "engine";
    /** where */
    script?: string;
    /** where */
    line?: number;
}

/** variables of one kind */
export interface DebuggerScope {
    /** the kind */
    name: string;
    /** for debugger_values */
    value: number;
    /** of variables */
    count: number;
}

/** a variable, or a part of a value */
export interface DebuggerValue {
    /** an identifier, or a key in brackets */
    name: string;
    /** the value in one line */
    text: string;
    /** its type */
    kind: string;
    /** for debugger_values; 0: no parts */
    value: number;
    /** of its parts */
    count: number;
    /** whether debugger_set may change it */
    can_set: boolean;
}

/** makes this client one of the debugger */
export interface DebuggerAttachMessage {
    type: "debugger_attach";
    id?: string | number;
    /** of the tool, for the log */
    name?: string;
}
export interface DebuggerAttachAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
    /** of these messages: 1 */
    version?: number;
    /** the absolute folder of the sources */
    project?: string;
    /** the absolute folder of what scripts see as core/… */
    core?: string;
    /** the threads that are known */
    threads?: DebuggerThread[];
    /** where the game has stopped, while it has */
    stopped?: DebuggerStop;
}

/** takes this client's breakpoints away; the last one lets the game go on */
export interface DebuggerDetachMessage {
    type: "debugger_detach";
    id?: string | number;
}
export interface DebuggerDetachAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
}

/** replaces this client's breakpoints in a script */
export interface DebuggerBreakpointsMessage {
    type: "debugger_breakpoints";
    id?: string | number;
    /** its path below the project */
    script: string;
    /** all that it then has */
    breakpoints: DebuggerBreakpoint[];
}
export interface DebuggerBreakpointsAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
    /** what became of each, in order */
    breakpoints?: DebuggerBreakpointState[];
}

/** lists lines on which a breakpoint can be */
export interface DebuggerLinesMessage {
    type: "debugger_lines";
    id?: string | number;
    /** its path below the project */
    script: string;
    /** a line */
    first: number;
    /** a line */
    last: number;
}
export interface DebuggerLinesAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
    /** sorted; empty while the script has not run */
    lines?: number[];
}

/** says at which errors the game stops */
export interface DebuggerErrorsMessage {
    type: "debugger_errors";
    id?: string | number;
    /** uncaught from the start */
    stop?: "never" | "uncaught" | "all";
}
export interface DebuggerErrorsAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
}

/** stops at the next line that runs */
export interface DebuggerPauseMessage {
    type: "debugger_pause";
    id?: string | number;
    /** a thread of debugger_threads */
    thread?: number;
}
export interface DebuggerPauseAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
}

/** lets the game go on, or one thread of it */
export interface DebuggerContinueMessage {
    type: "debugger_continue";
    id?: string | number;
    /** a thread of debugger_threads */
    thread?: number;
}
export interface DebuggerContinueAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
}

/** runs to the next line, into a call or out of the function */
export interface DebuggerStepMessage {
    type: "debugger_step";
    id?: string | number;
    /** which of them */
    kind: "into" | "over" | "out";
    /** a thread of debugger_threads */
    thread?: number;
}
export interface DebuggerStepAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
}

/** lists coroutines and states of jobs */
export interface DebuggerThreadsMessage {
    type: "debugger_threads";
    id?: string | number;
}
export interface DebuggerThreadsAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
    /** those that are known */
    threads?: DebuggerThread[];
}

/** lists the functions that a thread is in */
export interface DebuggerStackMessage {
    type: "debugger_stack";
    id?: string | number;
    /** a thread of debugger_threads */
    thread?: number;
    /** 0: the innermost */
    first?: number;
    /** at most 1000; 64 without it */
    count?: number;
}
export interface DebuggerStackAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
    /** from the innermost */
    frames?: DebuggerFrame[];
    /** how many there are */
    total?: number;
}

/** lists the variables that a frame sees, by kind */
export interface DebuggerScopesMessage {
    type: "debugger_scopes";
    id?: string | number;
    /** of debugger_stack */
    frame: number;
}
export interface DebuggerScopesAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
    /** Locals, Upvalues, Globals, and where they are Behaviour and Varargs */
    scopes?: DebuggerScope[];
}

/** lists the parts of a value */
export interface DebuggerValuesMessage {
    type: "debugger_values";
    id?: string | number;
    /** a number from scopes or values */
    value: number;
    /** the part to begin with */
    first?: number;
    /** at most 1000; 100 without it */
    count?: number;
}
export interface DebuggerValuesAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
    /** the parts */
    values?: DebuggerValue[];
    /** how many there are */
    total?: number;
}

/** runs an expression or statements */
export interface DebuggerEvaluateMessage {
    type: "debugger_evaluate";
    id?: string | number;
    /** what to run */
    text: string;
    /** whose variables it sees */
    frame?: number;
    /** after which it is ended: at most 10; 2 without it */
    seconds?: number;
}
export interface DebuggerEvaluateAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
    /** the value in one line */
    text?: string;
    /** its type */
    kind?: string;
    /** for debugger_values; 0: no parts */
    value?: number;
    /** of its parts */
    count?: number;
}

/** sets a variable, or a part of a value */
export interface DebuggerSetMessage {
    type: "debugger_set";
    id?: string | number;
    /** a scope, or a value with parts */
    value: number;
    /** of the part, as in debugger_values */
    name: string;
    /** an expression */
    text: string;
    /** in which it is evaluated */
    frame?: number;
}
export interface DebuggerSetAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
    /** the new value in one line */
    text?: string;
    /** its type */
    kind?: string;
    /** for debugger_values; 0: no parts */
    value?: number;
    /** of its parts */
    count?: number;
}

/** lists what can follow in a text, with locals and upvalues */
export interface DebuggerCompleteMessage {
    type: "debugger_complete";
    id?: string | number;
    /** what somebody has typed */
    text: string;
    /** whose variables it sees */
    frame?: number;
}
export interface DebuggerCompleteAnswer {
    type: "result";
    id?: string | number;
    /** why it was refused; then there is nothing else */
    error?: string;
    /** the byte of the text that the names begin at */
    start?: number;
    /** what can be there */
    names?: string[];
}

/** What the engine sends unasked. */
export type EngineEvent =
    | { // a message of the log, to every client
    type: "message";
    /** counts messages from 1, without gaps; a crash has none */
    number?: number;
    /** since the console began to listen */
    seconds?: number;
    /** how bad it is */
    level: "debug" | "info" | "warning" | "error";
    /** the part of the engine */
    system: string;
    /** the text. Warnings and many errors of the engine end with an id in brackets, such as [device_lost], which stays when the wording changes */
    message: string;
    /** where Lua printed it, or failed; "console": in text from a console */
    script?: string;
    /** of the script, from 1 */
    line?: number;
    /** of an error of Lua; the message ends with it */
    traceback?: string;
}
    | { // the engine did not understand a message, or is about to close the connection, and why
    type: "error";
    /** of the message */
    id?: unknown;
    /** the reason */
    message: string;
}
    | { // a picture of a stream, or what of it has changed. The files of the tiles follow as binary data, one behind the other
    type: "frame";
    binary_size: number;
    /** from frame_open */
    stream: number;
    /** of the picture, from 1 */
    number: number;
    /** of the whole picture, in pixels */
    width: number;
    /** of the whole picture, in pixels */
    height: number;
    /** 0: as asked for, up to 3: smaller and coarser, since the client was behind */
    level: number;
    /** of the files */
    format: "jpeg" | "png";
    /** what has changed */
    tiles: FrameTile[];
}
    | { // the game has stopped, to clients that are attached
    type: "debugger";
    /** which */
    event: "stopped";
    /** why it stopped */
    reason: "breakpoint" | "step" | "pause" | "error" | "time limit";
    /** which */
    thread: number;
    /** empty before the first line */
    script: string;
    /** 0 before the first line */
    line: number;
    /** the error */
    text?: string;
    /** numbers of those that were hit */
    breakpoints?: number[];
}
    | { // a thread goes on
    type: "debugger";
    /** which */
    event: "continued";
    /** which */
    thread: number;
}
    | { // a breakpoint with a log was reached; one without `breakpoint` counts those that were left out
    type: "debugger";
    /** which */
    event: "log";
    /** its text */
    text: string;
    /** where */
    script?: string;
    /** where */
    line?: number;
    /** its number */
    breakpoint?: number;
}
    | { // a breakpoint was found, or has moved
    type: "debugger";
    /** which */
    event: "breakpoint";
    /** its number */
    breakpoint: number;
    /** whether the game can stop there */
    verified: boolean;
    /** where */
    script?: string;
    /** where */
    line?: number;
    /** why it is not verified */
    message?: string;
}
    | { // a coroutine or a state of jobs has come or gone
    type: "debugger";
    /** which */
    event: "thread";
    /** which */
    thread: number;
    /** its name */
    name: string;
    /** which of them */
    reason: "started" | "ended";
}
    | { // a script has run first, or has changed
    type: "debugger";
    /** which */
    event: "script";
    /** its path */
    script: string;
    /** which of them */
    reason: "new" | "changed";
}
    | { // the game ends, and then the connection
    type: "debugger";
    /** which */
    event: "ended";
};

/** Each message with its answer. */
export interface Messages {
    script: { message: ScriptMessage; answer: ScriptAnswer };
    complete: { message: CompleteMessage; answer: CompleteAnswer };
    command: { message: CommandMessage; answer: CommandAnswer };
    reload: { message: ReloadMessage; answer: ReloadAnswer };
    ping: { message: PingMessage; answer: PingAnswer };
    authorize: { message: AuthorizeMessage; answer: AuthorizeAnswer };
    engine_info: { message: EngineInfoMessage; answer: EngineInfoAnswer };
    engine_list: { message: EngineListMessage; answer: EngineListAnswer };
    log_history: { message: LogHistoryMessage; answer: LogHistoryAnswer };
    commands: { message: CommandsMessage; answer: CommandsAnswer };
    frame_open: { message: FrameOpenMessage; answer: FrameOpenAnswer };
    frame_camera: { message: FrameCameraMessage; answer: FrameCameraAnswer };
    frame_shown: { message: FrameShownMessage; answer: FrameShownAnswer };
    frame_close: { message: FrameCloseMessage; answer: FrameCloseAnswer };
    input: { message: InputMessage; answer: InputAnswer };
    memory_tree: { message: MemoryTreeMessage; answer: MemoryTreeAnswer };
    memory_trace: { message: MemoryTraceMessage; answer: MemoryTraceAnswer };
    memory_report: { message: MemoryReportMessage; answer: MemoryReportAnswer };
    resource_list: { message: ResourceListMessage; answer: ResourceListAnswer };
    resource_users: { message: ResourceUsersMessage; answer: ResourceUsersAnswer };
    world_list: { message: WorldListMessage; answer: WorldListAnswer };
    entity_list: { message: EntityListMessage; answer: EntityListAnswer };
    entity_changes: { message: EntityChangesMessage; answer: EntityChangesAnswer };
    entity_components: { message: EntityComponentsMessage; answer: EntityComponentsAnswer };
    entity_set: { message: EntitySetMessage; answer: EntitySetAnswer };
    entity_pick: { message: EntityPickMessage; answer: EntityPickAnswer };
    entity_select: { message: EntitySelectMessage; answer: EntitySelectAnswer };
    statistics: { message: StatisticsMessage; answer: StatisticsAnswer };
    network_state: { message: NetworkStateMessage; answer: NetworkStateAnswer };
    network_events: { message: NetworkEventsMessage; answer: NetworkEventsAnswer };
    debugger_attach: { message: DebuggerAttachMessage; answer: DebuggerAttachAnswer };
    debugger_detach: { message: DebuggerDetachMessage; answer: DebuggerDetachAnswer };
    debugger_breakpoints: { message: DebuggerBreakpointsMessage; answer: DebuggerBreakpointsAnswer };
    debugger_lines: { message: DebuggerLinesMessage; answer: DebuggerLinesAnswer };
    debugger_errors: { message: DebuggerErrorsMessage; answer: DebuggerErrorsAnswer };
    debugger_pause: { message: DebuggerPauseMessage; answer: DebuggerPauseAnswer };
    debugger_continue: { message: DebuggerContinueMessage; answer: DebuggerContinueAnswer };
    debugger_step: { message: DebuggerStepMessage; answer: DebuggerStepAnswer };
    debugger_threads: { message: DebuggerThreadsMessage; answer: DebuggerThreadsAnswer };
    debugger_stack: { message: DebuggerStackMessage; answer: DebuggerStackAnswer };
    debugger_scopes: { message: DebuggerScopesMessage; answer: DebuggerScopesAnswer };
    debugger_values: { message: DebuggerValuesMessage; answer: DebuggerValuesAnswer };
    debugger_evaluate: { message: DebuggerEvaluateMessage; answer: DebuggerEvaluateAnswer };
    debugger_set: { message: DebuggerSetMessage; answer: DebuggerSetAnswer };
    debugger_complete: { message: DebuggerCompleteMessage; answer: DebuggerCompleteAnswer };
}
