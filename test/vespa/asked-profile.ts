/** The parts of a rank profile that tests write, each as it stands in a schema. */
export interface AskedProfile {
  readonly inputs: string;
  readonly properties: string;
  readonly expression: string;
  readonly more?: string;
}

/** The rank profile `asked` of these parts. */
export const askedProfile = ({ inputs, properties, expression, more = "" }: AskedProfile): string => `
  rank-profile asked {
    inputs {
      ${inputs}
    }
    rank-properties {
      ${properties}
    }
    ${more}
    first-phase { expression: ${expression} }
  }`;
