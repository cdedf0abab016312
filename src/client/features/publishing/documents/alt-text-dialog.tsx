import { type SubmitEvent, useState } from 'react'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { maxAltLength, problemOfAlt } from './image-dialog.tsx'

type AltTextDialogProps = { alt: string; onSave: (alt: string) => void; onClose: () => void }

/** Changes the alt text of an image that is in the text. */
export function AltTextDialog({ alt: initial, onSave, onClose }: AltTextDialogProps) {
  const [alt, setAlt] = useState(initial)
  const [isChecked, setIsChecked] = useState(false)
  const problem = problemOfAlt(alt)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    if (!problem) onSave(alt.replaceAll(/[[\]\r\n]/g, ' ').trim())
  }
  return (
    <Dialog title="Edit the image" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5" noValidate>
        <TextField
          label="Alt text"
          hint="Describes the image to screen readers and in emails with images off."
          value={alt}
          onChange={(event) => setAlt(event.target.value)}
          error={((isChecked || alt.length > maxAltLength) && problem) || undefined}
        />
        <FormActions action="Save alt text" pending={false} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
