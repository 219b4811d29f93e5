import type { Control, UseFormReturn } from 'react-hook-form'
import {
  type FtpFileKind,
  type FtpSettings,
  type FtpTransformer,
  ftpAfterReadingValues,
  ftpProtocolValues,
  ftpTransformerValues,
} from '~/api/schema'
import { scheduleForm, scheduleSchema } from '~/features/exchange/shared/schedule'
import { bodySchema, choice, code, nullableRef, nullableText, nullableWhole, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type FtpSettingsBody = BodyOf<'/api/admin/ftp-settings'>

export const DEFAULT_PORTS = { ftp: '21', ftps: '21', sftp: '22' } as const

/** Secrets of the settings: write-only. */
export type SecretName = 'password' | 'private_key' | 'private_key_passphrase'

const PASSWORD_MAX = 1024
const KEY_MAX = 16_384
const CERTIFICATES_MAX = 65_536
const PORT_MAX = 65_535
const ELEMENT_MAX = 100

/** Rule for paths: no `..`, no backslashes and no control characters, which could end an FTP command. */
const PATH = {
  test: { test: (value: string) => !/\\|\p{Cc}/u.test(value) && !value.split('/').includes('..') },
  code: 'ftpSettings:rules.path',
}
/** Rule for the name of an XML element, without a prefix. */
const ELEMENT = { test: /^[\p{L}_][\p{L}\p{N}_.-]*$/u, code: 'ftpSettings:rules.element' }
const FILE_NAME = { test: /^(?!\.{1,2}$)[^/\\]*$/, code: 'ftpSettings:rules.fileName' }

/** Schema of a secret; empty leaves the stored one unchanged. White space is significant. */
const secret = (max: number) =>
  z.pipe(
    z.string().check(z.maxLength(max, code('maxChars', { max }))),
    z.transform((value): string | null => value || null),
  )

const port = z.pipe(
  nullableWhole(),
  z.nullable(z.number().check(z.gte(1, code('notLess', { min: 1 })), z.lte(PORT_MAX, code('ftpSettings:rules.atMost', { max: PORT_MAX })))),
)

/** Formats of stock files; DATANORM contains prices only. */
export const STOCK_TRANSFORMERS = ['standard', 'import_profile', 'bmecat'] as const satisfies readonly FtpTransformer[]

/** True if a file of this format can be read with an import profile. */
export const takesProfile = (transformer: FtpTransformer) => transformer !== 'standard'

const fileName = nullableText({ rule: FILE_NAME })

const settings = bodySchema<FtpSettingsBody>()({
  protocol: choice(ftpProtocolValues),
  host: text(),
  port,
  username: text(),
  password: secret(PASSWORD_MAX),
  private_key: secret(KEY_MAX),
  private_key_passphrase: secret(PASSWORD_MAX),
  ca_certificate: nullableText({ max: CERTIFICATES_MAX }),
  base_path: nullableText({ rule: PATH }),
  price_file: z.object({
    enabled: z.boolean(),
    file_name: fileName,
    transformer: choice(ftpTransformerValues),
    as_price_list: z.boolean(),
    price_list_name: nullableText(),
  }),
  price_profile_id: nullableRef(),
  stock_file: z.object({
    enabled: z.boolean(),
    file_name: fileName,
    transformer: choice(ftpTransformerValues),
    quantity_element: nullableText({ max: ELEMENT_MAX, rule: ELEMENT }),
  }),
  stock_profile_id: nullableRef(),
  schedules: z.object({ price: scheduleSchema, stock: scheduleSchema }),
  after_reading: choice(ftpAfterReadingValues),
  processed_folder: nullableText({ rule: PATH }),
})

/** Schema with rules between fields; fields that do not belong to the choices made are left out. */
export const ftpSettingsSchema = z.pipe(
  settings.check(
    z.check(({ value, issues }) => {
      const requireField = (path: string[]) => issues.push({ code: 'custom', input: value, path, message: 'required' })
      for (const kind of ['price', 'stock'] as const) {
        const file = value[`${kind}_file`]
        if (file.transformer === 'import_profile' && value[`${kind}_profile_id`] === null) requireField([`${kind}_profile_id`])
        if (kind === 'stock' && !STOCK_TRANSFORMERS.some((name) => name === file.transformer)) {
          issues.push({ code: 'custom', input: value, path: ['stock_file', 'transformer'], message: code('ftpSettings:rules.pricesOnly') })
        }
        if (kind === 'stock' && file.transformer === 'bmecat' && value.stock_file.quantity_element === null) {
          requireField(['stock_file', 'quantity_element'])
        }
        if (!file.enabled) continue
        if (file.file_name === null) requireField([`${kind}_file`, 'file_name'])
        if (value.schedules[kind] === null) requireField(['schedules', kind, 'time'])
      }
      const { enabled, as_price_list, price_list_name } = value.price_file
      if (enabled && as_price_list && price_list_name === null) requireField(['price_file', 'price_list_name'])
      if (value.after_reading === 'move' && value.processed_folder === null) requireField(['processed_folder'])
    }),
  ),
  z.transform(
    (body): FtpSettingsBody => ({
      ...body,
      private_key: body.protocol === 'sftp' ? body.private_key : null,
      private_key_passphrase: body.protocol === 'sftp' ? body.private_key_passphrase : null,
      ca_certificate: body.protocol === 'ftps' ? body.ca_certificate : null,
      stock_file: {
        ...body.stock_file,
        quantity_element: body.stock_file.transformer === 'bmecat' ? body.stock_file.quantity_element : null,
      },
      price_profile_id: takesProfile(body.price_file.transformer) ? body.price_profile_id : null,
      stock_profile_id: takesProfile(body.stock_file.transformer) ? body.stock_profile_id : null,
      processed_folder: body.after_reading === 'move' ? body.processed_folder : null,
    }),
  ),
)

export const toForm = (row: FtpSettings | null) => ({
  protocol: row?.protocol ?? ('sftp' as const),
  host: row?.host ?? '',
  port: row ? String(row.port) : '',
  username: row?.username ?? '',
  password: '',
  private_key: '',
  private_key_passphrase: '',
  ca_certificate: row?.ca_certificate ?? '',
  base_path: row?.base_path ?? '',
  price_file: {
    enabled: row?.price_file.enabled ?? false,
    file_name: row?.price_file.file_name ?? '',
    transformer: row?.price_file.transformer ?? ('standard' as const),
    as_price_list: row?.price_file.as_price_list ?? false,
    price_list_name: row?.price_file.price_list_name ?? '',
  },
  price_profile_id: row?.price_profile?.id ?? null,
  stock_file: {
    enabled: row?.stock_file.enabled ?? false,
    file_name: row?.stock_file.file_name ?? '',
    transformer: row?.stock_file.transformer ?? ('standard' as const),
    quantity_element: row?.stock_file.quantity_element ?? '',
  },
  stock_profile_id: row?.stock_profile?.id ?? null,
  schedules: { price: scheduleForm(row?.schedules.price), stock: scheduleForm(row?.schedules.stock) },
  after_reading: row?.after_reading ?? ('leave' as const),
  processed_folder: row?.processed_folder ?? '',
})

export type FtpForm = ReturnType<typeof toForm>

export type FtpControl = Control<FtpForm, unknown, FtpSettingsBody>

/** Props with the form and the saved record that it changes. */
export interface FtpFormProps {
  form: UseFormReturn<FtpForm, unknown, FtpSettingsBody>
  row: FtpSettings | null
}

/** Fields that a test of the connection needs. */
export const connectionTestFields = (file: FtpFileKind | null) => [
  ...([
    'protocol',
    'host',
    'port',
    'username',
    'password',
    'private_key',
    'private_key_passphrase',
    'ca_certificate',
    'base_path',
  ] as const),
  ...(file
    ? ([
        `${file}_file.file_name`,
        `${file}_file.transformer`,
        `${file}_profile_id`,
        'price_file.price_list_name',
        'stock_file.quantity_element',
      ] as const)
    : []),
]

/** Settings for a test: the connection, and the file without its schedule. Null if a setting is invalid. */
export function connectionTestSettings(form: FtpForm, file: FtpFileKind | null): FtpSettingsBody | null {
  const { price_file, price_profile_id, stock_file, stock_profile_id, schedules, after_reading, processed_folder } = toForm(null)
  const tested = {
    ...form,
    price_file: file === 'price' ? { ...form.price_file, enabled: false } : price_file,
    price_profile_id: file === 'price' ? form.price_profile_id : price_profile_id,
    stock_file: file === 'stock' ? { ...form.stock_file, enabled: false } : stock_file,
    stock_profile_id: file === 'stock' ? form.stock_profile_id : stock_profile_id,
    schedules,
    after_reading,
    processed_folder,
  }
  return ftpSettingsSchema.safeParse(tested).data ?? null
}

/**
 * True if saving removes a stored secret, because the connection leads to another server and it was not
 * entered again.
 */
export function clearsFtpSecret(
  row: FtpSettings | null,
  form: Pick<FtpForm, 'protocol' | 'host' | 'port' | 'username' | 'password' | 'private_key'>,
): boolean {
  if (!row) return false
  const { protocol, host, username } = form
  const port = form.port || DEFAULT_PORTS[protocol]
  const isOtherServer =
    protocol !== row.protocol ||
    host.trim().toLowerCase() !== row.host.toLowerCase() ||
    port !== String(row.port) ||
    username.trim() !== row.username
  const losesSecret = (row.password_set && form.password === '') || (row.private_key_set && form.private_key === '')
  return isOtherServer && losesSecret
}
