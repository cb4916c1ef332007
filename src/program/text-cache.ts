/** The longest text that is cached, and how many are: what a cache holds is bounded, whatever texts a host has. */
const mostCharacters = 200;
const mostTexts = 1000;

/** Values of texts that come again and again, as the types of inputs do where programs are compiled in turn. */
export class TextCache<T> {
  private readonly values = new Map<string, T>();

  constructor(private readonly compute: (text: string) => T) {}

  get(text: string): T {
    const cached = this.values.get(text);
    if (cached !== undefined) return cached;
    const value = this.compute(text);
    if (text.length > mostCharacters) return value;
    if (this.values.size === mostTexts) this.values.clear();
    this.values.set(text, value);
    return value;
  }
}
