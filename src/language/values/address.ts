/** A label for each dimension. Labels of indexed dimensions are whole numbers, or their decimal text. */
export type Address = Readonly<Record<string, string | number>>;

/** An address with all labels as text, as `cells()` gives it. Its keys are own properties, whatever they are called. */
export type TextAddress = Readonly<Record<string, string>>;
