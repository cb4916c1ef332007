/** Saves a file on the machine of the reader. */
export function saveFile(name: string, content: Uint8Array | string, type: string): void {
  // A typed array may lie in shared memory, which files do not take: it is copied.
  const part = typeof content === "string" ? content : Uint8Array.from(content);
  const address = URL.createObjectURL(new Blob([part], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
