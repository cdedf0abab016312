import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { adminQuestionsCall } from '#shared/contracts/reader/questions.ts'

/** The questions that come with the product. */
export const questionsQuery = alwaysStaleQuery(['admin-questions'], adminQuestionsCall, {})
