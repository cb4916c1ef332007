"use strict";
const { commands, ProcessExecution, Task, TaskScope, tasks, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** Called by VS Code when a program or a schema is opened: starts the language server, for as long as the window is open. */
exports.activate = async ({ subscriptions }) => {
  const command = workspace.getConfiguration("sphex").get("command", "sphex");
  const server = { command, args: ["lsp", "--stdio"] };
  const documentSelector = [{ language: "sphex" }, { language: "vespa-schema" }];
  const client = new LanguageClient("sphex", "Sphex", server, { documentSelector });
  subscriptions.push(client);
  // A lens brings the arguments of the command.
  for (const name of ["run", "score", "test"]) {
    subscriptions.push(commands.registerCommand(`sphex.${name}`, (...args) => start(command, name, args)));
  }
  try {
    await client.start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(`Sphex cannot start ${command}: ${reason}. Is it installed?`);
  }
};

/** Runs the command in a terminal that shows what it writes. No shell reads the arguments. */
function start(command, name, args) {
  const execution = new ProcessExecution(command, args);
  const task = new Task({ type: "sphex", name }, TaskScope.Workspace, name, "sphex", execution, []);
  return tasks.executeTask(task);
}
