/** Something that the operator can mend, in one sentence. */
export class OperatorProblem extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'OperatorProblem'
  }
}
