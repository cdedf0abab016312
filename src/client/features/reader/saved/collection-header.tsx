import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#client/ui/button.tsx'
import type { Collection } from '#shared/contracts/reader/saved.ts'
import { useDeleteCollection } from './saved.api.ts'

const NameDialog = lazy(() => import('./name-dialog.tsx'))

/** Renames or deletes the collection that is shown. */
export function CollectionHeader({ collection }: { collection: Collection }) {
  const navigate = useNavigate()
  const [isRenaming, setIsRenaming] = useState(false)
  const remove = useDeleteCollection()
  const { id, name, at } = collection
  const handleDelete = () => remove.mutate({ id, name, at }, { onSuccess: () => void navigate('/portal/saved') })
  return (
    <div className="flex flex-wrap items-center gap-x-2 pt-5">
      <h2 className="display mr-auto text-xl [overflow-wrap:anywhere]">{name}</h2>
      <div className="-mx-3 flex">
        <Button variant="quiet" size="sm" onClick={() => setIsRenaming(true)}>
          Rename
          <span className="sr-only"> {name}</span>
        </Button>
        <Button variant="quiet" size="sm" pending={remove.isPending} onClick={handleDelete}>
          Delete
          <span className="sr-only"> {name}</span>
        </Button>
      </div>
      {isRenaming && (
        <Suspense fallback={null}>
          <NameDialog collection={collection} onClose={() => setIsRenaming(false)} />
        </Suspense>
      )}
    </div>
  )
}
