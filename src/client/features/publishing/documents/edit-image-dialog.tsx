import { type SubmitEvent, useState } from 'react'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { type ImageTitle, parseImageTitle, writeImageTitle } from '#shared/domain/image-titles.ts'
import { AltField, ImageTitleFields, maxAltLength, problemOfAlt } from './image-fields.tsx'
import type { EditedImage } from './writing-handle.ts'

type EditImageDialogProps = { image: EditedImage; onSave: (image: EditedImage) => void; onClose: () => void }

/** Changes the alt text, caption and size of an image that is in the text. The still of a video has alt text only. */
export function EditImageDialog({ image, onSave, onClose }: EditImageDialogProps) {
  const [alt, setAlt] = useState(image.alt)
  const [title, setTitle] = useState<ImageTitle>(() => parseImageTitle(image.title))
  const [isChecked, setIsChecked] = useState(false)
  const problem = problemOfAlt(alt)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    if (!problem) onSave({ ...image, alt: alt.replaceAll(/[[\]\r\n]/g, ' ').trim(), title: writeImageTitle(title) })
  }
  return (
    <Dialog title="Edit the image" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5" noValidate>
        <AltField alt={alt} onChange={setAlt} error={(isChecked || alt.length > maxAltLength) && problem} />
        {!image.isVideo && <ImageTitleFields title={title} onChange={setTitle} />}
        <FormActions action="Save image" pending={false} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
