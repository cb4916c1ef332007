import type { Requester } from "../panel.js";
import type { PageAddress, ValueReference, WhyReport } from "../protocol.js";
import { addressKey } from "./result-host.js";

/** The cell that somebody asked about, where it came from, and which cells of the page light up for it. */
export class ProvenanceState {
  asked: { readonly reference: ValueReference; readonly address: PageAddress } | undefined;
  report: WhyReport | undefined;
  private lit = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly request: Requester,
    private readonly onChange: () => void,
  ) {}

  litOf(reference: ValueReference): ReadonlySet<string> | undefined {
    return this.lit.get(referenceKey(reference));
  }

  async ask(reference: ValueReference, address: PageAddress): Promise<void> {
    const asked = { reference, address };
    this.asked = asked;
    this.report = undefined;
    this.lit = new Map([[referenceKey(reference), new Set([addressKey(address)])]]);
    this.onChange();
    const report = await this.request("why", { ...reference, address });
    if (this.asked !== asked) return;
    this.report = report;
    for (const { addresses, ...source } of report.sources)
      this.lit.set(referenceKey(source), new Set(addresses.map(addressKey)));
    this.onChange();
  }

  /** Puts the lights out. */
  clear(): void {
    this.asked = undefined;
    this.report = undefined;
    this.lit = new Map();
  }
}

const referenceKey = ({ id, key }: ValueReference): string => JSON.stringify([id, key]);
