import { SearchPage } from '#client/features/library/search/search-page.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Search" lede="Every drop, prompt, guide and tool, including the text inside the guides." />
      <SearchPage />
    </>
  )
}
