"use strict";
const { window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** Called by VS Code when a program or a schema is opened: starts the language server, for as long as the window is open. */
exports.activate = async ({ subscriptions }) => {
  const command = workspace.getConfiguration("sphex").get("command", "sphex");
  const server = { command, args: ["lsp", "--stdio"] };
  const documentSelector = [{ language: "sphex" }, { language: "vespa-schema" }];
  const client = new LanguageClient("sphex", "Sphex", server, { documentSelector });
  subscriptions.push(client);
  try {
    await client.start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(`Sphex cannot start ${command}: ${reason}. Is it installed?`);
  }
};
