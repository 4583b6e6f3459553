import type { Call, Reply } from '../../../simulation/server.ts';
import { tinPattern } from './code-lists.ts';
import { personalSchemes } from './document.ts';
import { errorResponse } from './error-response.ts';
import { type Identity, unknownTin } from './identities.ts';
import type { SimulatorState } from './state.ts';

/** GET taxpayer/validate: 200 without a body when TIN and registration belong together. */
export function validateTaxpayer(
  { params, query }: Call,
  _caller: Identity,
  state: SimulatorState,
): Reply {
  const idType = query.get('idType') ?? '';
  const idValue = query.get('idValue') ?? '';
  if (!personalSchemes.includes(idType)) {
    return errorResponse(400, 'BadArgument', 'Not one of NRIC, PASSPORT, BRN, ARMY.', 'idType');
  }
  if (idValue === '') return errorResponse(400, 'BadArgument', 'A value is needed.', 'idValue');
  const tin = params.tin ?? '';
  if (!tinPattern.test(tin)) return errorResponse(400, 'BadArgument', 'Not a TIN.', 'tin');
  const registered = state.identities.taxpayers.get(tin);
  const belongs =
    registered === undefined || (registered.idType === idType && registered.idValue === idValue);
  return tin !== unknownTin && belongs
    ? { status: 200 }
    : errorResponse(404, 'NotFound', 'No such taxpayer.');
}

/**
 * GET taxpayer/search/tin: by registration or by name, among the taxpayers that the control
 * API added.
 */
export function findTaxpayer({ query }: Call, _caller: Identity, state: SimulatorState): Reply {
  const name = query.get('taxpayerName');
  const found = [...state.identities.taxpayers.values()].filter((taxpayer) =>
    name === null
      ? taxpayer.idType === query.get('idType') && taxpayer.idValue === query.get('idValue')
      : taxpayer.name === name,
  );
  const [only] = found;
  if (only === undefined) return errorResponse(404, 'NotFound', 'No such taxpayer.');
  return found.length > 1
    ? errorResponse(400, 'BadArgument', 'More than one taxpayer has this name.', 'taxpayerName')
    : { status: 200, body: { tin: only.tin } };
}

/** GET taxpayers/qrcodeinfo: in the simulator the code's text is the taxpayer's TIN. */
export function scanQrCode({ params }: Call, _caller: Identity, state: SimulatorState): Reply {
  const taxpayer = state.identities.taxpayers.get(params.text ?? '');
  return taxpayer === undefined
    ? errorResponse(404, 'NotFound', 'No such taxpayer.')
    : { status: 200, body: taxpayer };
}
