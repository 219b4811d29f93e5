import { importReplaceScopeValues, importStrategyValues, importTypeValues } from '~/api/schema'
import { bodySchema, choice, code, nullableRef, nullableText, z } from '~/kit/form/schema'
import type { ImportForm } from './api'
import { isOfList } from './may-import'

/** Schema with a size limit, since the server rejects a larger file only after receiving all of it. */
export const importSchema = (maxMb: number) =>
  bodySchema<ImportForm>()({
    file: z.pipe(
      z.nullable(z.instanceof(File)).check(
        z.refine((file) => file !== null, 'required'),
        z.refine((file) => !file || file.size <= maxMb * 1024 ** 2, code('fileSize', { max: maxMb })),
      ),
      z.transform((file) => file as File),
    ),
    type: choice(importTypeValues),
    price_list_id: nullableRef(),
    name: nullableText(),
    dry_run: z.boolean(),
    skip_hidden_rows: z.boolean(),
    strategy: choice(importStrategyValues),
    replace_scope: choice(importReplaceScopeValues),
  }).check(
    z.check(({ value, issues }) => {
      if (isOfList(value.type) && value.price_list_id === null)
        issues.push({ code: 'custom', input: value, path: ['price_list_id'], message: 'required' })
    }),
  )
