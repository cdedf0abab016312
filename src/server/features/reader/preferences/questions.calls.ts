import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/identity/auth/security/admin-event.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminQuestionsCall, adminQuestionUseCall, adminSaveQuestionCall } from '#shared/contracts/reader/questions.ts'
import { countQuestionUse } from './count-question-use.ts'
import { listQuestions } from './question-store.ts'
import { saveQuestion } from './save-question.ts'

export function questionsCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(adminQuestionsCall, () => listQuestions(db)),
    implement(adminSaveQuestionCall, async (given, who, request) => {
      await saveQuestion(deps, actorOf(who, request), given)
      return listQuestions(db)
    }),
    implement(adminQuestionUseCall, ({ question }) => countQuestionUse(db, deps.config.settings.publication, question)),
  ]
}
