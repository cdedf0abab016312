import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import { useCreateDocument } from './content.api.ts'
import { contentKinds } from './content-kinds.ts'
import { NewDocumentDialog } from './new-document-dialog.tsx'

/** A new drop opens at once, with the cursor in its title. Other documents are named first: their title becomes an id. */
export function NewDocument({ kind }: { kind: DocumentKind }) {
  const [isOpen, setIsOpen] = useState(false)
  const create = useCreateDocument(kind)
  const handleClick = () => {
    if (kind !== 'issue') setIsOpen(true)
    else if (!create.isPending) create.mutate({ title: '' })
  }
  return (
    <>
      <Button pending={create.isPending} onClick={handleClick}>
        <Plus aria-hidden className="size-4" strokeWidth={1.75} />
        New {contentKinds[kind].one}
      </Button>
      {isOpen && <NewDocumentDialog kind={kind} onClose={() => setIsOpen(false)} />}
    </>
  )
}
