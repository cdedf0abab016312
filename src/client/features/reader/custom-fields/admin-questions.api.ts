import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { publication } from '#client/lib/publication.ts'
import {
  adminQuestionsCall,
  adminQuestionUseCall,
  adminSaveQuestionCall,
  type QuestionToSave,
  type StoredQuestion,
} from '#shared/contracts/reader/questions.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'

/** The questions that come with the product. */
export const questionsQuery = alwaysStaleQuery(['admin-questions'], adminQuestionsCall, {})

export const useQuestionUse = (question: QuestionName, enabled: boolean) =>
  useQuery({
    queryKey: ['admin-question-use', question],
    queryFn: ({ signal }) => invoke(adminQuestionUseCall, { question }, signal),
    enabled,
    staleTime: 0,
  })

export function useSaveQuestion() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (question: QuestionToSave) => invoke(adminSaveQuestionCall, question),
    onSuccess: (stored) => {
      queryClient.setQueryData(questionsQuery.queryKey, stored)
      // Filters and editors of this page, too, offer the options as they are now.
      publication.questions = asQuestions(stored.items)
    },
  })
}

const asQuestions = (items: readonly StoredQuestion[]) =>
  Object.fromEntries(
    items
      .filter(({ version }) => version > 0)
      .map(({ question, name, wording, hint, options }) => [question, { name, wording, hint, options }]),
  )
