import { PostImportPage } from '#client/features/operations/post-import/post-import-page.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Import posts" />
      <PostImportPage />
    </>
  )
}
