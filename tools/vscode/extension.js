// Starts `cuttle debug`, which speaks the Debug Adapter Protocol, for each session of VS Code.
"use strict";

const vscode = require("vscode");

class AdapterFactory {
    createDebugAdapterDescriptor(session) {
        const folder = session.workspaceFolder;
        const program = vscode.workspace.getConfiguration("cuttle", folder).get("program", "cuttle");
        const options = folder ? { cwd: folder.uri.fsPath } : {};
        return new vscode.DebugAdapterExecutable(program, ["debug"], options);
    }
}

// F5 without a launch.json runs the folder that is open.
class ConfigurationProvider {
    resolveDebugConfiguration(folder, configuration) {
        if (configuration.type || !folder) {
            return configuration;
        }
        return { name: "Run the game", type: "cuttle", request: "launch", project: folder.uri.fsPath };
    }
}

function activate(context) {
    context.subscriptions.push(
        vscode.debug.registerDebugAdapterDescriptorFactory("cuttle", new AdapterFactory()),
        vscode.debug.registerDebugConfigurationProvider("cuttle", new ConfigurationProvider()));
}

module.exports = { activate };
