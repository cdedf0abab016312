/**
 * Checks content/, or the given folder, as the build and the server do: `node scripts/check-content.ts`. With `--sources` it
 * prints each figure, price and law with its source, as a table of tabs.
 */
import { listFacts } from '../src/server/features/library/content/list-facts.ts'
import { parseContentFiles } from '../src/server/features/library/content/parse-content-files.ts'
import { readContentDirectory } from '../src/server/seed/read-content-directory.ts'
import { findContentProblems } from './build/content-problems.ts'

const [directory] = process.argv.slice(2).filter((word) => word !== '--sources')
const problems = await findContentProblems(directory)
for (const problem of problems) console.error(problem)
if (problems.length > 0) console.error(`${problems.length} problems in content/`)
else if (process.argv.includes('--sources')) {
  for (const { file, path, fact, source, opened } of listFacts(
    await parseContentFiles(readContentDirectory(directory).files),
  ))
    console.log([`${file} ${path.join('.')}`, fact, source, opened].join('\t'))
}
process.exitCode = problems.length === 0 ? 0 : 1
