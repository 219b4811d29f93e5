import { reference } from '~/kit/records/reference'

/** Imports to choose from, newest first, because users mostly want those. */
export const importRef = reference('/api/admin/imports', {
  label: ({ id, name, upload_file }) => `${id} – ${name || upload_file}`,
  search: 'name',
  sort: '-created_at',
})
