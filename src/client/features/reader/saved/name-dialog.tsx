import { type FormEvent, useState } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/form.tsx'
import { type Collection, maxCollectionName } from '#shared/contracts/reader/saved.ts'
import { useSaveCollection } from './saved.api.ts'

/** Names a new collection, or renames one. */
export default function NameDialog({ collection, onClose }: { collection: Collection | null; onClose: () => void }) {
  const [name, setName] = useState(collection?.name ?? '')
  const [id] = useState(() => collection?.id ?? crypto.randomUUID())
  const save = useSaveCollection()
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ id, name, replaces: collection?.at ?? null }, { onSuccess: onClose })
  }
  return (
    <Dialog title={collection ? 'Rename collection' : 'New collection'} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4">
        <TextField
          label="Name"
          required
          maxLength={maxCollectionName}
          value={name}
          error={save.error ? errorMessage(save.error) : undefined}
          onChange={({ target }) => {
            setName(target.value)
            save.reset()
          }}
        />
        <Button type="submit" pending={save.isPending} className="mt-5">
          {collection ? 'Rename' : 'Create collection'}
        </Button>
      </form>
    </Dialog>
  )
}
