import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { fieldQuery, invoke, upload } from '#client/lib/calls.ts'
import {
  adminBlocksCall,
  adminImagesCall,
  adminUploadImageCall,
} from '#shared/contracts/publishing/publishing-library.ts'

export const blocksQuery = fieldQuery(['admin-blocks'], adminBlocksCall, {}, 'items')
export const imagesQuery = infiniteQueryOptions({
  queryKey: ['admin-images'],
  queryFn: ({ pageParam, signal }) => invoke(adminImagesCall, { cursor: pageParam }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
})

/** Texts that use the image are checked again: a deleted image is available again once it was uploaded again. */
function useInvalidateImages() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      ['admin-images', 'admin-preview', 'admin-check-mailing'].map((key) =>
        queryClient.invalidateQueries({ queryKey: [key] }),
      ),
    )
}

export function useUploadImage() {
  const invalidate = useInvalidateImages()
  return useMutation({
    mutationFn: (file: File) => upload(adminUploadImageCall, { name: file.name.slice(0, 200) }, file),
    onSuccess: invalidate,
  })
}
