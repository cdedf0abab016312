import { PostImportPage } from '#client/features/post-import/post-import-page.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Import posts" />
      <PostImportPage />
    </>
  )
}
