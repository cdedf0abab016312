/** Checks content/, or the given folder, as the build and the server do: `node scripts/check-content.ts`. */
import { findContentProblems } from './build/content-problems.ts'

const problems = await findContentProblems(process.argv[2])
for (const problem of problems) console.error(problem)
if (problems.length > 0) console.error(`${problems.length} problems in content/`)
process.exitCode = problems.length === 0 ? 0 : 1
