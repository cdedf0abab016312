import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder, Skeleton } from '#client/ui/loading.tsx'
import { type ItemCollection, maxCollectionName } from '#shared/contracts/reader/saved.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { itemCollectionsQuery, useCollectItem, useSaveCollection } from './saved.api.ts'

type CollectDialogProps = { item: ItemRef & { title: string }; onClose: () => void }

/** Chooses the collections of an item. Each choice is kept at once. */
export default function CollectDialog({ item, onClose }: CollectDialogProps) {
  const collections = useQuery(itemCollectionsQuery(item))
  return (
    <Dialog title="Add to collection" onClose={onClose}>
      <p className="mt-1 text-muted [overflow-wrap:anywhere]">{item.title}</p>
      {!collections.data && (
        <QueryPlaceholder query={collections} what="your collections" skeleton={<Skeleton className="mt-5 h-13" />} />
      )}
      {collections.data && <Choices item={item} collections={collections.data} />}
    </Dialog>
  )
}

function Choices({ item, collections }: Pick<CollectDialogProps, 'item'> & { collections: readonly ItemCollection[] }) {
  const collect = useCollectItem(item)
  return (
    <>
      {collections.length > 0 && (
        <ul aria-label="Collections" className="mt-5 grid max-h-[40dvh] gap-2 overflow-y-auto">
          {collections.map((collection) => (
            <li key={collection.id}>
              <Choice
                type="checkbox"
                label={collection.name}
                checked={collection.member}
                onChange={({ target }) => collect(collection, target.checked)}
              />
            </li>
          ))}
        </ul>
      )}
      <NewCollection onCreated={(created) => collect({ ...created, changedAt: null }, true)} />
    </>
  )
}

function NewCollection({ onCreated }: { onCreated: (created: { id: string; name: string }) => void }) {
  const [name, setName] = useState('')
  // The same id until it is created, so that a repeated request doesn't create two.
  const [id, setId] = useState(() => crypto.randomUUID())
  const create = useSaveCollection()
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(
      { id, name, replaces: null },
      {
        onSuccess: (created) => {
          onCreated(created)
          setName('')
          setId(crypto.randomUUID())
        },
      },
    )
  }
  return (
    <form onSubmit={handleSubmit} className="mt-5 flex flex-wrap items-start gap-3">
      <TextField
        label="New collection"
        placeholder="Hiring, Monday meeting …"
        required
        maxLength={maxCollectionName}
        value={name}
        error={create.error ? errorMessage(create.error) : undefined}
        onChange={({ target }) => {
          setName(target.value)
          create.reset()
        }}
        fieldClassName="min-w-48 grow"
      />
      <Button type="submit" variant="secondary" pending={create.isPending} className="mt-[1.875rem]">
        Create
      </Button>
    </form>
  )
}
