import { checkContentFiles } from '../../src/server/features/library/content/check-content-files.ts'
import {
  ContentFileError,
  describeProblems,
  parseContentFiles,
} from '../../src/server/features/library/content/parse-content-files.ts'
import { readContentDirectory } from '../../src/server/seed/read-content-directory.ts'
import { lastDayOf } from '../../src/shared/domain/check-content.ts'

/** Why the server would refuse to load content/, one line each: "content/drops/a.yaml:41: sections.2.body: …". */
export async function findContentProblems(directory?: string): Promise<string[]> {
  try {
    const { files } = readContentDirectory(directory)
    const content = await parseContentFiles(files)
    return await describeProblems(checkContentFiles(content, lastDayOf(new Date())), files)
  } catch (error) {
    if (error instanceof ContentFileError) return [error.message]
    throw error
  }
}
