"""`saloon health`: does a server serve?"""

from typing import Annotated

import grpc
import typer
from grpc_health.v1 import health_pb2
from saloon_client.channel import open_channel
from saloon_client.errors import from_rpc

from saloon.connecting import DEFAULT_ADDRESS, Address, Insecure, TlsCa, connect, seconds


def command(
    address: Address = DEFAULT_ADDRESS,
    service: Annotated[str, typer.Option(help="One service, such as saloon.v1.Bots; empty: the server.")] = "",
    tls_ca: TlsCa = None,
    insecure: Insecure = False,
    timeout: Annotated[str, typer.Option(help="How long to wait at most, such as 500ms or 3s.")] = "3s",
) -> None:
    """Ask a server whether it serves: exit code 0 if it does, otherwise 1 and why not."""
    problem = check(address, service, tls_ca, insecure, seconds(timeout, "timeout"))
    typer.echo(problem or "SERVING")
    if problem:
        raise typer.Exit(1)


def check(address: str, service: str = "", tls_ca: TlsCa = None, insecure: bool = False, timeout: float = 3.0) -> str:
    """Why a server does not serve; empty if it does."""
    with connect(address, None, tls_ca, insecure) as client, open_channel(client.connection) as channel:
        check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            health_pb2.HealthCheckRequest.SerializeToString,
            health_pb2.HealthCheckResponse.FromString,
        )
        try:
            answer = check(health_pb2.HealthCheckRequest(service=service), timeout=timeout)
        except grpc.RpcError as error:
            known = from_rpc(error, client.address)
            if known.code == grpc.StatusCode.NOT_FOUND:
                return f"NOT_FOUND: the server at {client.address} has no service {service!r}"
            return f"{known.code.name}: {known}"
    status = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    return "" if status == "SERVING" else status
