import { createContext, use } from 'react'
import type { Problem } from '#shared/contracts/publishing/publishable.ts'

/** Messages of problems that prevent publishing, by field path. */
const FieldProblems = createContext<ReadonlyMap<string, string>>(new Map())
export const FieldProblemsProvider = FieldProblems.Provider

export const byPath = (problems: readonly Problem[]): ReadonlyMap<string, string> =>
  new Map(problems.toReversed().map(({ path, message }) => [path, message]))

export const useFieldProblem = (path: string): string | undefined => use(FieldProblems).get(path)
