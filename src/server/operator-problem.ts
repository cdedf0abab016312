/** Something that the operator can mend, in one sentence: printed as it is, where our own mistakes come with a stack. */
export class OperatorProblem extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.name = 'OperatorProblem'
  }
}
