import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminQuestionsCall, adminQuestionUseCall, adminSaveQuestionCall } from '#shared/contracts/reader/questions.ts'
import { countQuestionUse } from './count-question-use.ts'
import { listQuestions } from './question-store.ts'
import { saveQuestion } from './save-question.ts'

export function questionsCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(adminQuestionsCall, () => listQuestions(db)),
    implement(adminSaveQuestionCall, async (given, who) => {
      await saveQuestion(deps, who, given)
      return listQuestions(db)
    }),
    implement(adminQuestionUseCall, ({ question }) => countQuestionUse(db, deps.config.settings.publication, question)),
  ]
}
