import { FieldList } from '#client/features/reader/custom-fields/field-list.tsx'
import { QuestionList } from '#client/features/reader/custom-fields/question-list.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Fields" className="mb-8" />
      <QuestionList />
      <FieldList />
    </>
  )
}
