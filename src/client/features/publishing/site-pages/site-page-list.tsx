import { useQuery } from '@tanstack/react-query'
import { FileText, Plus } from 'lucide-react'
import { Link } from 'react-router'
import { ButtonLink } from '#client/ui/button.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { LoadError, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { sitePagesQuery } from './site-pages.api.ts'

/** Pages that the publisher added. */
export function SitePageList() {
  const pages = useQuery(sitePagesQuery)
  return (
    <Section
      title="Your pages"
      lede="About, FAQ, opening hours: pages with an address of their own, for everyone or for members. Link to them under Navigation."
    >
      {pages.isError && !pages.data ? (
        <LoadError what="your pages" query={pages} />
      ) : !pages.data ? (
        <SkeletonText lines={2} height="h-14" />
      ) : (
        <div className="grid gap-5">
          {pages.data.length === 0 ? (
            <p className="text-muted">No pages yet.</p>
          ) : (
            <div className="border-b border-line">
              <ItemList label="Your pages">
                {pages.data.map(({ id, title, path, audience, isPublished, updatedAt }) => (
                  <ItemRow
                    key={id}
                    icon={FileText}
                    title={
                      <>
                        <Link
                          to={`/admin/settings/pages/${id}`}
                          className="text-link inline-flex min-h-11 items-center"
                          dir="auto"
                        >
                          {title}
                        </Link>
                        {!isPublished && <Tag>Draft</Tag>}
                        {audience === 'members' && <Tag>Members</Tag>}
                      </>
                    }
                    facts={
                      <>
                        /{path} · edited <Timestamp at={updatedAt} inline />
                      </>
                    }
                  />
                ))}
              </ItemList>
            </div>
          )}
          <ButtonLink to="/admin/settings/pages/new" variant="secondary" className="justify-self-start">
            <Plus aria-hidden className="size-4" strokeWidth={1.75} />
            New page
          </ButtonLink>
        </div>
      )}
    </Section>
  )
}
