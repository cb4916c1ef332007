/** Words that a text is searched for, each with a value, in the order of their units of UTF-16: those that begin alike are neighbours. */
export class Dictionary<T> {
  private readonly values: ReadonlyMap<string, T>;
  private readonly words: readonly string[];

  /** Of equal words the last one counts; one without a letter is nowhere. */
  constructor(words: Iterable<readonly [string, T]>) {
    this.values = new Map(words);
    this.words = [...this.values.keys()].filter((word) => word !== "").sort();
  }

  get(word: string): T | undefined {
    return this.values.get(word);
  }

  /** The lengths and values of the words that begin at an offset of a text, the shortest first; a search for each unit of the longest. */
  *at(text: string, offset: number): Generator<readonly [number, T]> {
    let [low, high] = [0, this.words.length];
    for (let length = 0; offset + length < text.length; ) {
      const unit = text.charCodeAt(offset + length);
      low = this.firstWith(length, unit, low, high);
      high = this.firstWith(length, unit + 1, low, high);
      length++;
      const word = low < high ? this.words[low] : undefined;
      if (word === undefined) return;
      if (word.length > length) continue;
      const value = this.values.get(word);
      if (value !== undefined) yield [length, value];
      low++;
    }
  }

  /** The length and value of the longest word that begins at an offset of a text. */
  longestAt(text: string, offset: number): readonly [number, T] | undefined {
    let longest: readonly [number, T] | undefined;
    for (const each of this.at(text, offset)) longest = each;
    return longest;
  }

  /** The first word of a range that has no less than a unit at an offset; all of them are longer than that. */
  private firstWith(offset: number, unit: number, from: number, to: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.words[middle]?.charCodeAt(offset) ?? 0) < unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
