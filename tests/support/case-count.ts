const { env } = process

/**
 * How many random or repeated cases a test runs: `few` in `npm test`, `all` in `npm run test:all`. The variable, if the
 * test has one, sets any other number.
 */
export const caseCount = (few: number, all: number, variable = ''): number =>
  Number(env[variable] ?? (env.TEST_ALL === '1' ? all : few))
