import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type SubmitEvent, useId, useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { Section } from '#client/ui/page-parts.tsx'
import { adminMemberTagsCall, adminSetMemberTagsCall, maxTagLength } from '#shared/contracts/operations/member-tags.ts'

/** Words that staff put on a member, to find them again. */
export function MemberTags({ userId }: { userId: string }) {
  const { data } = useQuery(alwaysStaleQuery(['admin-member-tags', userId], adminMemberTagsCall, { userId }))
  const change = useChange(adminSetMemberTagsCall, { failure: 'The tags weren’t changed' })
  const [text, setText] = useState('')
  const listId = useId()
  const tags = data?.tags ?? []
  const handleAdd = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const tag = text.replace(/,/g, ' ').trim()
    if (tag === '' || change.isPending || !data) return
    change.mutate({ userId, tags: [...tags, tag] }, { onSuccess: () => setText('') })
  }
  return (
    <Section title="Tags" lede="For staff. Filter the list of members by them.">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {tags.length > 0 && (
          <ul aria-label="Tags" className="flex flex-wrap gap-2">
            {tags.map((tag) => (
              <li
                key={tag}
                className="inline-flex items-center rounded-md bg-sunken pl-3 text-sm font-medium [overflow-wrap:anywhere]"
              >
                {tag}
                <button
                  type="button"
                  aria-label={`Remove the tag ${tag}`}
                  onClick={() => change.mutate({ userId, tags: tags.filter((other) => other !== tag) })}
                  className="grid size-11 shrink-0 place-items-center rounded-md text-muted hover:text-ink"
                >
                  <X aria-hidden className="size-4" strokeWidth={2} />
                </button>
              </li>
            ))}
          </ul>
        )}
        <form onSubmit={handleAdd} className="flex gap-2">
          <input
            aria-label="New tag"
            list={listId}
            value={text}
            onChange={(event) => setText(event.target.value)}
            maxLength={maxTagLength}
            autoComplete="off"
            className={clsx(inputStyles, 'max-w-44')}
          />
          <datalist id={listId}>
            {(data?.inUse ?? []).map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
          <Button type="submit" variant="secondary" pending={change.isPending}>
            Add
          </Button>
        </form>
      </div>
    </Section>
  )
}
