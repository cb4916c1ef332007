/** Which lines of many are in sight, and where they lie. Browsers hold no element of more than some ten million pixels. */
export class ScrollRange {
  /** The height of all lines as the browser has it. */
  readonly extent: number;
  /** How many pixels of lines a pixel of the browser stands for. */
  private readonly ratio: number;

  constructor(
    private readonly count: number,
    private readonly size: number,
    private readonly visible: number,
  ) {
    const whole = count * size;
    this.extent = Math.min(whole, mostPixels);
    const room = Math.max(1, this.extent - visible);
    this.ratio = Math.max(1, (whole - visible) / room);
  }

  /** The lines in sight, and some around them, where the browser has scrolled so far. */
  lines(scrolled: number): readonly [number, number] {
    const first = Math.floor((scrolled * this.ratio) / this.size);
    const inSight = Math.ceil(this.visible / this.size) + 1;
    return [Math.max(0, first - around), Math.min(this.count, first + inSight + around)];
  }

  /** Where a line lies for the browser, while it has scrolled so far. */
  offset(line: number, scrolled: number): number {
    return line * this.size - scrolled * this.ratio + scrolled;
  }

  /** How far to scroll so that a line is in sight. */
  scrollFor(line: number, scrolled: number): number {
    const position = line * this.size;
    const top = scrolled * this.ratio;
    if (position < top) return position / this.ratio;
    if (position + this.size > top + this.visible) return (position + this.size - this.visible) / this.ratio;
    return scrolled;
  }
}

const mostPixels = 8_000_000;

/** Lines beyond those in sight that are there already when somebody scrolls. */
const around = 8;
