import { useInfiniteQuery } from '@tanstack/react-query'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { FormError, InlineError } from '#client/ui/form.tsx'
import { LoadMore } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminDeleteImageCall, type MediaImage } from '#shared/contracts/publishing/publishing-library.ts'
import { formatBytes } from '#shared/domain/format-bytes.ts'
import { imagesQuery, useUploadImage } from './blocks-and-files.api.ts'
import { ImageUpload } from './image-upload.tsx'

/** All uploaded images, newest first. Editors insert them into texts. */
export function ImageList() {
  const list = useInfiniteQuery(imagesQuery)
  const upload = useUploadImage()
  const images = list.data?.pages.flatMap((page) => page.items)
  return (
    <div className="grid gap-6">
      <ImageUpload pending={upload.isPending} onFile={(file) => upload.mutate(file)} />
      <FormError>{formErrorMessage(upload.error)}</FormError>
      {!images ? (
        <SkeletonText lines={3} height="h-24" />
      ) : images.length === 0 ? (
        <p className="border-y border-line py-8 text-muted">No images yet.</p>
      ) : (
        <ul aria-label="Images" className="grid grid-cols-2 gap-x-5 gap-y-7 sm:grid-cols-3 lg:grid-cols-4">
          {images.map((image) => (
            <ImageItem key={image.hash} image={image} />
          ))}
        </ul>
      )}
      <div>
        <LoadMore query={list} label="Load older images" />
      </div>
    </div>
  )
}

function ImageItem({ image }: { image: MediaImage }) {
  const remove = useChange(adminDeleteImageCall)
  return (
    <li className="min-w-0">
      <div className="grid aspect-[4/3] place-items-center overflow-hidden rounded-md border border-line bg-sunken">
        <img
          src={image.path}
          alt=""
          width={image.width}
          height={image.height}
          loading="lazy"
          className="max-h-full w-auto max-w-full object-contain"
        />
      </div>
      <p className="mt-2 truncate text-sm font-medium" title={image.originalName}>
        {image.originalName}
      </p>
      <p className="text-sm text-muted tabular-nums">
        {image.width} × {image.height}, {formatBytes(image.bytes)}
      </p>
      <p className="text-sm text-muted tabular-nums">
        <Timestamp at={image.createdAt} />
      </p>
      <ConfirmButton
        label="Delete"
        variant="quiet"
        size="sm"
        className="-ml-3"
        pending={remove.isPending}
        aria-label={`Delete ${image.originalName}`}
        title="Delete this image?"
        action="Delete image"
        onConfirm={() => remove.mutate({ hash: image.hash })}
      >
        This deletes <span className="[overflow-wrap:anywhere]">{image.originalName}</span> permanently, unless a text
        or mailing uses it. Earlier versions that show it will have a gap.
      </ConfirmButton>
      <InlineError className="[overflow-wrap:anywhere]">{formErrorMessage(remove.error)}</InlineError>
    </li>
  )
}
