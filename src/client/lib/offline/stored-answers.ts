import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { answerKey } from '#shared/domain/offline-library.ts'

type Output<C extends AnyCall> = z.output<C['output']>

/** Answers of the server to the last calls of this device. */
export type StoredAnswers = {
  get<C extends AnyCall>(call: C, input: Record<string, unknown>): Output<C> | undefined
  /** The answers to a call, whatever the input. */
  all<C extends AnyCall>(call: C): Output<C>[]
  find(name: string, input: unknown): unknown
}

export function readStoredAnswers(answers: ReadonlyMap<string, { output: unknown }>): StoredAnswers {
  const find = (name: string, input: unknown) => answers.get(answerKey(name, input))?.output
  return {
    find,
    get: (call, input) => find(call.name, input) as Output<typeof call> | undefined,
    all: (call) =>
      [...answers]
        .filter(([key]) => key.startsWith(`${call.name} `))
        .map(([, { output }]) => output as Output<typeof call>),
  }
}
