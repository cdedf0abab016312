import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import { contentKinds } from './content-kinds.ts'
import { NewDocumentDialog } from './new-document-dialog.tsx'

export function NewDocument({ kind }: { kind: DocumentKind }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Plus aria-hidden className="size-4" strokeWidth={1.75} />
        New {contentKinds[kind].one}
      </Button>
      {isOpen && <NewDocumentDialog kind={kind} onClose={() => setIsOpen(false)} />}
    </>
  )
}
