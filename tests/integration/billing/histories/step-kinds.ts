import type fc from 'fast-check'
import type { Person, World } from './world.ts'

/** One kind of step that a person takes: how often it's drawn, its fields, and what it does. */
export type StepKind<F extends object> = {
  weight: number
  fields: { [K in keyof F]: fc.Arbitrary<F[K]> }
  run: (world: World, person: Person, step: F) => Promise<unknown>
}

export const stepKind = <F extends object>(
  weight: number,
  fields: StepKind<F>['fields'],
  run: StepKind<F>['run'],
): StepKind<F> => ({ weight, fields, run })

/** The steps of a table of kinds, as plain data. */
export type StepsOf<Kinds> = {
  [W in keyof Kinds]: { what: W; who: number } & (Kinds[W] extends StepKind<infer F> ? F : never)
}[keyof Kinds]
