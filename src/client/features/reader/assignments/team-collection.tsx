import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Button } from '#client/ui/button.tsx'
import { Section } from '#client/ui/section.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { itemKey } from '#shared/domain/content-items.ts'
import { collectForTeam } from './assignments.api.ts'

/** Items that the team collects. Everyone may add and remove them. */
export function TeamCollection({ collection }: Pick<TeamAssignments, 'collection'>) {
  const client = useQueryClient()
  return (
    <Section
      title="Team collection"
      status={collection.length > 0 ? `${collection.length} ${collection.length === 1 ? 'item' : 'items'}` : undefined}
      lede={
        collection.length > 0
          ? undefined
          : 'One list for the whole team. Choose Assign below a section or prompt, then “In the team’s collection”.'
      }
    >
      {collection.length > 0 && (
        <ul aria-label="Team collection" className="divide-y divide-line border-t border-line">
          {collection.map((item) => (
            <li key={itemKey(item)} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
              <p className="min-w-0 py-1 [overflow-wrap:anywhere]">
                {item.path ? (
                  <Link to={item.path} className="font-semibold hover:text-primary">
                    {item.title}
                  </Link>
                ) : (
                  <>
                    <span className="font-semibold">{item.title}</span> <Tag>No longer available</Tag>
                  </>
                )}
                {item.parentTitle && <span className="block text-sm text-muted">{item.parentTitle}</span>}
              </p>
              <Button variant="quiet" size="sm" onClick={() => collectForTeam(client, item, false)}>
                Remove<span className="sr-only"> {item.title} from the team collection</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
