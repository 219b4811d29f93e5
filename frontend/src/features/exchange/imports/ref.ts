import { reference } from '~/kit/records/reference'

/** The newest first: those are asked about. */
export const importRef = reference('/api/admin/imports', {
  label: ({ id, name, upload_file }) => `${id} – ${name || upload_file}`,
  search: 'name',
  sort: '-created_at',
})
