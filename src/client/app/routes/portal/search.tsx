import { SearchPage } from '#client/features/library/search/search-page.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Search" lede="Everything in the portal, including the text inside downloads." />
      <SearchPage />
    </>
  )
}
