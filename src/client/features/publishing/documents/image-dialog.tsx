import { useInfiniteQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type SubmitEvent, useEffect, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions, FormError } from '#client/ui/form.tsx'
import { LoadMore } from '#client/ui/infinite-list.tsx'
import { imageLimits, type MediaImage } from '#shared/contracts/publishing/publishing-library.ts'
import { type ImageTitle, parseImageTitle, writeImageTitle } from '#shared/domain/image-titles.ts'
import { imagesQuery, useUploadImage } from './blocks-and-files.api.ts'
import { AltField, ImageTitleFields, maxAltLength, problemOfAlt } from './image-fields.tsx'
import { ImageUpload } from './image-upload.tsx'
import { AddressField } from './link-dialog.tsx'
import { imageMarkdown, linkMarkdown, problemOfAddress } from './markdown-commands.ts'

type ImageDialogProps = {
  kind?: 'image' | 'video'
  /** A pasted or dropped file, uploaded at once. */
  file?: File | null
  onInsert: (markdown: string) => void
  onClose: () => void
}

/** Chooses an uploaded image or uploads one. Alt text is required, and for a video the address of its page. */
export function ImageDialog({ kind = 'image', file = null, onInsert, onClose }: ImageDialogProps) {
  const upload = useUploadImage()
  const [chosen, setChosen] = useState<MediaImage | null>(null)
  const [alt, setAlt] = useState('')
  const [title, setTitle] = useState<ImageTitle>(() => parseImageTitle(null))
  /** Field that was missing when Insert was clicked; cleared by the next change. */
  const [missing, setMissing] = useState<'image' | 'alt' | 'address' | null>(null)
  const [address, setAddress] = useState('')
  const isTooLong = alt.length > maxAltLength

  const choose = (image: MediaImage) => {
    setChosen(image)
    setMissing(null)
    setIsTooLarge(false)
    // Clear the error of an earlier upload.
    if (upload.isError) upload.reset()
  }
  const [isTooLarge, setIsTooLarge] = useState(false)
  const handleFile = (chosenFile: File) => {
    const exceeds = chosenFile.size > imageLimits.bytes
    setIsTooLarge(exceeds)
    if (!exceeds) upload.mutate(chosenFile, { onSuccess: choose })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file
  useEffect(() => {
    if (file) handleFile(file)
  }, [file])
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!chosen) setMissing('image')
    else if (alt.trim() === '') setMissing('alt')
    else if (kind === 'video' && problemOfAddress(address)) setMissing('address')
    else if (!isTooLong) {
      const image = imageMarkdown(chosen, alt, writeImageTitle(title))
      onInsert(kind === 'video' ? linkMarkdown(image, address, 'video') : image)
    }
  }

  return (
    <Dialog title={kind === 'video' ? 'Insert a video' : 'Insert an image'} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5" noValidate>
        {kind === 'video' && (
          <>
            <p className="text-sm text-muted">
              Readers see a picture with a play mark that opens the video’s page. Nothing loads from there before they
              choose it.
            </p>
            <AddressField
              label="Video address"
              value={address}
              onChange={setAddress}
              error={(missing === 'address' && problemOfAddress(address)) || undefined}
            />
          </>
        )}
        {upload.isPending && file && <p role="status">Uploading {file.name}…</p>}
        <ImageUpload pending={upload.isPending} onFile={handleFile} />
        <FormError>
          {isTooLarge
            ? `This file is larger than ${imageLimits.bytes / 1024 / 1024} MB. Choose a smaller image.`
            : formErrorMessage(upload.error)}
        </FormError>
        <RecentImages chosen={chosen} onChoose={choose} />
        <FormError>{missing === 'image' ? 'Choose an image' : undefined}</FormError>
        <AltField
          alt={alt}
          onChange={(next) => {
            setAlt(next)
            if (missing === 'alt') setMissing(null)
          }}
          error={(isTooLong || missing === 'alt') && problemOfAlt(alt)}
        />
        {kind === 'image' && <ImageTitleFields title={title} onChange={setTitle} />}
        <FormActions
          action={kind === 'video' ? 'Insert video' : 'Insert image'}
          pending={upload.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

type RecentImagesProps = { chosen: MediaImage | null; onChoose: (image: MediaImage) => void }

function RecentImages({ chosen, onChoose }: RecentImagesProps) {
  const list = useInfiniteQuery(imagesQuery)
  const images = list.data?.pages.flatMap((page) => page.items) ?? []
  if (images.length === 0) return null
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-semibold">Your images</legend>
      <div className="mt-1.5 grid max-h-56 grid-cols-4 gap-2 overflow-y-auto p-1">
        {images.map((image) => (
          <label
            key={image.hash}
            title={image.originalName}
            className={clsx(
              'aspect-square overflow-hidden rounded-md border-2 bg-sunken',
              'has-focus-visible:outline-3 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus',
              chosen?.hash === image.hash ? 'border-success' : 'border-transparent',
            )}
          >
            <input
              type="radio"
              name="image"
              className="sr-only"
              aria-label={`${image.originalName}, ${image.width} by ${image.height}`}
              checked={chosen?.hash === image.hash}
              onChange={() => onChoose(image)}
            />
            <img src={image.path} alt="" loading="lazy" className="size-full object-cover" />
          </label>
        ))}
      </div>
      <LoadMore query={list} label="Load older images" size="sm" />
    </fieldset>
  )
}
